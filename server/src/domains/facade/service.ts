import type { IncomingMessage } from 'node:http'
import type { Pool } from '../../kernel/db/pool.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import type { Scope } from '../auth/scopes.ts'
import type { Connections, Credential } from '../channels/connection/service.ts'
import type { Media } from '../media/service.ts'
import type { Messages } from '../messages/service.ts'
import { findAllowed, type NodeKind, type Operation, parseTarget, possibleKinds, type Target } from './allowlist.ts'
import type { Answer } from './answer.ts'
import { createAsking, type Visit } from './asking-service.ts'
import type { Body } from './body.ts'
import { createHeaderHandles } from './header-handles-service.ts'
import { parseQuery } from './query.ts'
import { createReading } from './reading-service.ts'
import { createWriting } from './writing-service.ts'

/** A request as it came. Its address is the one that was sent, and nothing has been decoded in it. */
export type FacadeRequest = {
  method: string
  url: string
  principal: Principal
  body: Body
  raw: IncomingMessage
  range: string | undefined
  gone: AbortSignal
}

type Dependencies = {
  sql: Pool
  publicUrl: string
  upstream: Upstream
  connections: Connections
  media: Media
  messages: Messages
  audit: Audit
}

type Key = { organizationId: string; channelId: string }

export type Facade = ReturnType<typeof createFacade>

/**
 * The upstream as one channel may see it. A request passes when, in this order,
 * its path has the form of one on the allowlist, its channel is connected, its
 * id is the channel's own, its token holds the scope, and its query holds only
 * what the path takes. Until then nothing is asked of the upstream.
 */
export function createFacade(deps: Dependencies) {
  const { connections, media } = deps
  const asking = createAsking(deps)
  const operations: Record<Operation, (visit: Visit) => Promise<Answer>> = {
    ...createReading({ ...deps, asking }),
    ...createWriting({ ...deps, asking }),
    ...createHeaderHandles({ ...deps, asking }),
  }

  /** What an id is to the channel; undefined when it is nothing. */
  async function kindOf(key: Key, { id }: Target, kinds: NodeKind[], own: Credential): Promise<NodeKind | undefined> {
    if (id === own.phoneNumberId) return 'phone'
    if (id === own.wabaId) return 'waba'
    const isMedia = kinds.includes('media') && (await media.belongs(key.organizationId, key.channelId, id))
    return isMedia ? 'media' : undefined
  }

  return {
    async answer({ method, url, principal, ...request }: FacadeRequest): Promise<Answer> {
      const target = parseTarget(url)
      const kinds = target ? possibleKinds(method, target) : []
      if (!target || kinds.length === 0) throw notFound('Resource')
      const key = { organizationId: principal.organizationId, channelId: channelOf(principal) }
      const credential = await connections.credential(key.organizationId, key.channelId)
      const kind = await kindOf(key, target, kinds, credential)
      const allowed = kind && findAllowed(method, kind, target)
      if (!allowed) throw notFound('Resource')
      if (allowed.scope !== null) refuseWithout(allowed.scope, principal)
      const query = parseQuery(target.search, allowed.query)
      const { act } = principal
      return operations[allowed.does]({ ...key, ...request, act, credential, id: target.id, query })
    },
  }
}

/** The gate lets nothing else in, so a missing channel is a mistake in the access table. */
function channelOf({ channelId }: Principal): string {
  if (channelId === null) throw new Error('The facade was reached without a channel token')
  return channelId
}

function refuseWithout(scope: Scope, { scopes }: Principal): void {
  if (scopes.includes(scope)) return
  throw new AppError('INSUFFICIENT_SCOPE', `The channel token lacks the scope ${scope}.`, { details: { scope } })
}
