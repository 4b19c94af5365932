export const en = {
  title: 'Developer tools',
  tabs: 'Sections of this page',
  requests: 'Request log',
  events: 'Events',
  reference: 'API reference',
  tools: 'SDK and CLI',
  status: 'Status',
} as const
