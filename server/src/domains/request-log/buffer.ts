import type { Initiator } from '../audit/initiator.ts'
import type { RoutedRequest } from './logged-path.ts'

/** Limit of a process, until the next write. */
const REQUESTS_MAX = 5000
/** Limit of one organization, so that it leaves room for the others. */
const REQUESTS_PER_ORGANIZATION_MAX = 1000
/** A longer URL is not kept: the path of a route with ids is shorter, and so many URLs of 16 kB would be 80 MB. */
const URL_LENGTH_MAX = 1024

/** `answeredAt` is a time of this process, as of `performance.now()`. */
export type AnsweredRequest = RoutedRequest & {
  organizationId: string
  initiator: Initiator
  errorCode: string | undefined
  durationMs: number
  answeredAt: number
}

/** Requests that are answered and not stored yet. */
export function createRequestBuffer() {
  let byOrganization = new Map<string, AnsweredRequest[]>()
  let count = 0

  return {
    /** False if there is no room. */
    add(request: AnsweredRequest): boolean {
      const requests = byOrganization.get(request.organizationId)
      if (count >= REQUESTS_MAX || (requests && requests.length >= REQUESTS_PER_ORGANIZATION_MAX)) return false
      count++
      if (request.url.length > URL_LENGTH_MAX) request.url = request.route
      if (requests) requests.push(request)
      else byOrganization.set(request.organizationId, [request])
      return true
    },

    /** Returns everything and begins anew. */
    take(): Map<string, AnsweredRequest[]> {
      const taken = byOrganization
      byOrganization = new Map()
      count = 0
      return taken
    },
  }
}
