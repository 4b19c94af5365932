import { HubError } from '@hubline/sdk'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'

export type FoundSubject = Awaited<ReturnType<typeof findSubject>>

/** Finds the subject of an id. The logs grow, so that each look is a new one. */
export function subjectQuery(organizationId: string, id: string | undefined) {
  return queryOptions({
    queryKey: ['subject', organizationId, id],
    queryFn: () => findSubject(organizationId, id ?? ''),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
}

async function findSubject(organizationId: string, id: string) {
  const isWamid = id.startsWith('wamid.')
  const [message, request, delivery, endpoint] = await Promise.all([
    findFirst(hub.console.searchMessages({ id, limit: 1 })),
    isWamid ? undefined : findFirst(hub.console.listRequests(organizationId, { request_id: id, limit: 1 })),
    isWamid ? undefined : findDelivery(id),
    isWamid ? undefined : findEndpoint(id),
  ])
  return { message, request, delivery, endpoint }
}

async function findFirst<Item>(list: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of list) return item
  return undefined
}

async function findDelivery(id: string) {
  try {
    return (await hub.console.findDelivery(id)).delivery
  } catch (error) {
    if (error instanceof HubError && error.status === 404) return undefined
    throw error
  }
}

async function findEndpoint(id: string) {
  const endpoints = await hub.console.browseWebhooks().toArray()
  return endpoints.find((endpoint) => endpoint.id === id.toLowerCase())
}
