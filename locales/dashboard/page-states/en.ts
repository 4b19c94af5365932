export const en = {
  notFound: 'Page not found',
  notFoundText: 'The address may be mistyped, or the item was deleted.',
  overview: 'Overview',
  codeFailed: 'This page could not be loaded',
  codeFailedText: 'The hub did not answer, or has a new version. Other pages stay as they are.',
  tryAgain: 'Try again',
  reload: 'Load the dashboard again',
  failed: 'This page could not be shown',
} as const
