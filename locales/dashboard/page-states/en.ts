export const en = {
  notFound: 'Page not found',
  notFoundText: 'The address may be mistyped, or the item was deleted.',
  overview: 'Overview',
  failed: 'This page could not be shown',
} as const
