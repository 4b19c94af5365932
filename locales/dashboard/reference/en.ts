export const en = {
  subtitle:
    'Every operation of this hub. The full reference has schemas, errors and examples with your ids, and works offline.',
  open: 'Open the reference',
  download: 'Download openapi.json',
  basics: 'Basics',
  baseUrl: 'Base URL',
  authentication: 'Authentication',
  authenticationText: 'an API key, or a channel token on its own channel',
  limits: 'Limits',
  limitKey: '{{requests}} requests a minute for each key',
  limitOrganization: '{{requests}} requests a minute for all keys together',
  limitWebhooks: '{{requests}} requests a minute for webhook endpoints',
  limitSends: '{{requests}} sends a second for each channel',
  limitFacade: '{{requests}} facade requests a second for each channel',
  limitHeaders:
    'Every response has RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset. A 429 also has Retry-After.',
  version: 'Version of the API',
  search: 'Search operations',
  failed: 'The description of the API could not be loaded',
  noMatch: 'No operations match',
  scope: 'needs {{scope}}',
} as const
