import type { TestContext } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { CHANNEL_TOKEN_SCOPES, type Scope } from '../../auth/scopes.ts'
import { startFacade, startRelayedFacade } from './fixture.ts'

type ChannelOf = { id: string; number: { phoneNumberId: string; wabaId: string } }

/** A connected channel, and a client of `/graph` whose token has every scope. */
export async function startGraph(t: TestContext, options: Parameters<typeof startFacade>[1] = {}) {
  const fixture = await startFacade(t, options)
  return { ...fixture, ...(await createGraphClient(fixture, fixture.acme.organizationId, fixture.channel)) }
}

/** The same with a relay before the upstream. */
export async function startRelayedGraph(t: TestContext) {
  const fixture = await startRelayedFacade(t)
  return { ...fixture, ...(await createGraphClient(fixture, fixture.acme.organizationId, fixture.channel)) }
}

type Hub = Awaited<ReturnType<typeof startFacade>>['hub']

export async function createGraphClient({ hub }: { hub: Hub }, organizationId: string, { id, number }: ChannelOf) {
  return {
    client: await hub.channelToken(organizationId, id, CHANNEL_TOKEN_SCOPES),
    /** A client with these scopes only. */
    withScopes: (scopes: readonly Scope[]) => hub.channelToken(organizationId, id, scopes),
    phone: `/graph/v25.0/${number.phoneNumberId}`,
    waba: `/graph/v25.0/${number.wabaId}`,
  }
}

/** The status, code and subcode of an error in Meta's shape. */
export function toGraphCodes({ status, body }: Answer): [status: number, code?: number, subcode?: number] {
  const { code, error_subcode: subcode } = body?.error ?? {}
  return [status, ...(code === undefined ? [] : subcode === undefined ? [code] : [code, subcode])] as never
}
