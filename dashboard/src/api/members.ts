import { queryOptions } from '@tanstack/react-query'
import { hub } from './hub.ts'

const KEYS_MAX = 100

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => hub.console.listMembers().toArray(),
})

/** The newest keys, for where they are found by name. */
export const newestKeysQuery = queryOptions({
  queryKey: ['api-keys', 'newest'],
  queryFn: async () => (await hub.apiKeys.list({ limit: KEYS_MAX }).firstPage()).items,
})
