import type { ConsoleMessageDetail } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'

export type MessageDetail = ConsoleMessageDetail['message']

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['message', id],
    queryFn: async (): Promise<MessageDetail> => (await hub.console.showMessage(id)).message,
  })
}
