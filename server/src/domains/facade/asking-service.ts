import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '../../kernel/json/values.ts'
import type { Result } from '../../upstream/http/errors.ts'
import type { PassthroughCall, PassthroughResponse } from '../../upstream/resources/passthrough.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Act } from '../audit/act.ts'
import type { Connections, Credential } from '../channels/connection/service.ts'
import type { Body } from './body.ts'
import { facadeError, missingOr } from './failure.ts'

/** A request that the allowlist has let through. */
export type Visit = {
  organizationId: string
  channelId: string
  act: Act
  credential: Credential
  /** The id in the path, which is the channel's own. */
  id: string
  query: Record<string, string>
  body: Body
  raw: IncomingMessage
  range: string | undefined
  gone: AbortSignal
}

export type Asking = ReturnType<typeof createAsking>

/** Asks the upstream with the channel's own token, and puts its failures into the caller's words. */
export function createAsking({ upstream, connections }: { upstream: Upstream; connections: Connections }) {
  /** A dead credential also disconnects the channel: whoever calls next is told what to do. */
  async function noteRefusal({ organizationId, channelId, credential }: Visit): Promise<void> {
    const verdict = { status: 'disconnected', reason: 'credential_refused' } as const
    const key = { organizationId, id: channelId }
    await connections.apply(key, credential.token, { verdict, subscribedOk: null, facts: null })
  }

  async function valueIn<T>(visit: Visit, result: Result<T>, toError = facadeError): Promise<T> {
    if (result.ok) return result.value
    if (result.failure.isCredentialRefused) await noteRefusal(visit)
    throw toError(result.failure)
  }

  async function ask(visit: Visit, question: PassthroughCall): Promise<PassthroughResponse> {
    const result = await upstream.passthrough.call(visit.credential.token, question)
    return valueIn(visit, result, question.method === 'POST' ? facadeError : missingOr)
  }

  return {
    valueIn,
    ask,

    /** A call of which only the answer matters. */
    async post(visit: Visit, name: string, edge: string, json: JsonObject): Promise<PassthroughResponse> {
      return ask(visit, { name, method: 'POST', to: [visit.id, edge], json })
    },
  }
}
