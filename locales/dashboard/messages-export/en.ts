export const en = {
  title: 'Export messages',
  text: 'All messages that match the filters, newest first. The export is recorded in the audit log.',
  format: 'Format',
  content: 'Include message contents',
  contentHint: 'People with the file can read what was written.',
  start: 'Start the export',
  stop: 'Stop',
} as const
