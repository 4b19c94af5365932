import type { IncomingMessage } from 'node:http'
import { notFound } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json/values.ts'
import type { Result } from '../../upstream/http/errors.ts'
import type { PassthroughCall, PassthroughResponse } from '../../upstream/resources/passthrough.ts'
import type { NamedTemplate } from '../../upstream/resources/templates.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { ChannelConnections, Credential } from '../channels/connection/service.ts'
import type { Mount } from './allowlist/allowlist.ts'
import { toFacadeError, toFacadeErrorOrNotFound } from './errors.ts'
import type { RequestBody } from './writing/body.ts'

/** A request that the allowlist accepted. */
export type AllowedRequest = {
  mount: Mount
  organizationId: string
  channelId: string
  initiator: Initiator
  credential: Credential
  /** The id in the path; it belongs to the channel. */
  id: string
  /** The part of the path behind its edge; empty if it ends there. */
  item: string
  /** The template with the id, if it is one. */
  template?: NamedTemplate | undefined
  /** The names of the parameters that the path takes. */
  parameters: readonly string[]
  query: Record<string, string>
  body: RequestBody
  raw: IncomingMessage
  range: string | undefined
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** On whose behalf the upstream is called. */
export type Caller = Pick<AllowedRequest, 'organizationId' | 'channelId' | 'credential'>

export type UpstreamCalls = ReturnType<typeof createUpstreamCalls>

/** Calls the upstream with the channel's token, and converts its failures into errors of the facade. */
export function createUpstreamCalls({
  upstream,
  connections,
}: {
  upstream: Upstream
  connections: ChannelConnections
}) {
  /** A refused credential also disconnects the channel, so the next call says to connect it again. */
  async function unwrap<T>(request: Caller, result: Result<T>, toError = toFacadeError): Promise<T> {
    if (result.ok) return result.value
    if (result.failure.isCredentialRefused) {
      const { organizationId, channelId: id, credential } = request
      await connections.disconnectRefused({ organizationId, id }, credential.token)
    }
    throw toError(result.failure)
  }

  async function call(request: AllowedRequest, passthrough: PassthroughCall): Promise<PassthroughResponse> {
    const result = await upstream.passthrough.call(request.credential.token, passthrough)
    return unwrap(request, result, passthrough.method === 'POST' ? toFacadeError : toFacadeErrorOrNotFound)
  }

  return {
    unwrap,
    call,

    async post(request: AllowedRequest, name: string, edge: string, json: JsonObject): Promise<PassthroughResponse> {
      return call(request, { name, method: 'POST', to: [request.id, edge], json })
    },
  }
}

/** A file requested with the `phone_number_id` of another number is 404. */
export function refuseOtherNumber({ query, credential }: AllowedRequest): void {
  const named = query.phone_number_id
  if (named !== undefined && named !== credential.phoneNumberId) throw notFound('resource_not_found')
}
