import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { readTemplate } from './template.ts'

export function templatesQuery(channelId: string) {
  return queryOptions({ queryKey: ['templates', channelId], queryFn: () => readTemplates(channelId) })
}

export async function readTemplates(channelId: string) {
  return (await hub.templates.list(channelId).toArray()).map(readTemplate)
}
