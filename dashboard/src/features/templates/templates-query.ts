import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { readTemplate } from './template.ts'

export function templatesQuery(channelId: string) {
  return queryOptions({
    queryKey: ['templates', channelId],
    queryFn: async () => (await hub.templates.list(channelId).toArray()).map(readTemplate),
  })
}
