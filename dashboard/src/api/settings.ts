import { queryOptions } from '@tanstack/react-query'
import { hub } from './hub.ts'

/** The settings of an organization. Every page that shows one of them reads it here: a key has one kind of data. */
export function settingsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['settings', organizationId],
    queryFn: async () => (await hub.console.showSettings(organizationId)).settings,
  })
}
