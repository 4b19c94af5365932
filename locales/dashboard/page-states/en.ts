export const en = {
  notFound: 'There is no such page',
  notFoundText: 'The address may be mistyped, or what it showed was deleted.',
  overview: 'Overview',
  failed: 'The page could not be shown',
} as const
