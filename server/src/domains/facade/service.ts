import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { notFound } from '../../kernel/errors.ts'
import type { NamedTemplate } from '../../upstream/resources/templates.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Audit } from '../audit/service.ts'
import { type Principal, requireAnyScope } from '../auth/principal.ts'
import type { ChannelConnections } from '../channels/connection/service.ts'
import type { Media } from '../media/service.ts'
import type { Messages } from '../messages/sending/service.ts'
import type { TemplateStates } from '../templates/sendability/service.ts'
import type { Endpoints } from '../webhooks/endpoints/service.ts'
import {
  findOperation,
  listParameters,
  listPossibleKinds,
  type Mount,
  type NodeKind,
  type OperationName,
  parseTarget,
  type Target,
} from './allowlist/allowlist.ts'
import { parseQuery } from './allowlist/query.ts'
import { requireGraphRequest } from './graph/credentials.ts'
import { createNumberOperations } from './graph/number-operations.ts'
import { createHubOperations, describeToken } from './graph/operations.ts'
import { findOwnTemplate } from './graph/own-templates.ts'

import { createHeaderHandleOperations } from './header-handles/operations.ts'
import { createHandleUploads } from './header-handles/uploads.ts'
import { createReadOperations } from './reading/operations.ts'
import type { FacadeResponse } from './responses.ts'
import type { EditTemplate } from './template-schemas.ts'
import { createUploadOperations } from './upload-sessions/operations.ts'
import type { UploadSessions } from './upload-sessions/sessions.ts'
import { type AllowedRequest, createUpstreamCalls } from './upstream-calls.ts'
import type { RequestBody } from './writing/body.ts'
import { createWriteOperations } from './writing/operations.ts'

/** `url` is the address as it was sent, not decoded. */
type FacadeRequest = {
  method: string
  url: string
  principal: Principal
  body: RequestBody
  raw: IncomingMessage
  range: string | undefined
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

type AccountOperation = 'deleteTemplates' | 'createHandle'
type AccountRequest = Pick<FacadeRequest, 'principal' | 'raw' | 'signal'> & Pick<AllowedRequest, 'channelId' | 'query'>

const NO_BODY: RequestBody = { bytes: undefined, failure: undefined, contentType: undefined, isPresent: false }

type Dependencies = {
  sql: Pool
  publicUrl: string
  /** The address of `/graph`. */
  graphUrl: string
  appId: string
  upstream: Upstream
  connections: ChannelConnections
  media: Media
  messages: Messages
  audit: Audit
  uploadSessions: UploadSessions
  now: Clock
  templateStates: Pick<TemplateStates, 'recordListing'>
  endpoints: Pick<Endpoints, 'isReceiving'>
}

type Key = { organizationId: string; channelId: string }
type OwnChannel = Awaited<ReturnType<ChannelConnections['find']>>
type Node = { kind: NodeKind; template?: NamedTemplate }

/** The kinds whose ids the database and the operation do not compare with those of the channel, or compare themselves. */
const ANY_ID: ReadonlySet<NodeKind> = new Set(['hub', 'app', 'upload'])

export type Facade = ReturnType<typeof createFacade>

/**
 * Lets a channel call the upstream. A request is forwarded if, checked in this order, its
 * path has the form of one on the allowlist, its id belongs to the channel, its channel is
 * connected, its token has the scope, and its query has only the path's parameters. A channel
 * that was never connected has no ids.
 */
export function createFacade(deps: Dependencies) {
  const { connections, media, appId } = deps
  const calls = createUpstreamCalls(deps)
  const handleUploads = createHandleUploads({ ...deps, calls })
  const urls: Record<Mount, string> = { upstream: `${deps.publicUrl}/upstream`, graph: deps.graphUrl }
  const operations: Record<
    Exclude<OperationName, 'debugToken'>,
    (request: AllowedRequest) => Promise<FacadeResponse>
  > = {
    ...createReadOperations({ ...deps, calls, urls }),
    ...createWriteOperations({ ...deps, calls }),
    ...createHeaderHandleOperations({ handleUploads }),
    ...createUploadOperations({ ...deps, handleUploads }),
    ...createNumberOperations({ ...deps, calls }),
    ...createHubOperations(deps),
  }

  /** Undefined if the id does not belong to the channel. Only for a template this asks the upstream. */
  async function findNode(key: Key, { id }: Target, kinds: NodeKind[], own: OwnChannel): Promise<Node | undefined> {
    const [anyId] = kinds.filter((kind) => ANY_ID.has(kind))
    if (anyId) return { kind: anyId }
    if (own.phone_number_id === null) return undefined
    if (id === own.phone_number_id) return { kind: 'phone' }
    if (id === own.waba_id) return { kind: 'waba' }
    const isMedia = kinds.includes('media') && (await media.belongsToChannel(key.organizationId, key.channelId, id))
    if (isMedia) return { kind: 'media' }
    if (!kinds.includes('template')) return undefined
    const credential = connections.openCredential(key.organizationId, own)
    const template = await findOwnTemplate({ ...deps, calls }, { ...key, credential }, id)
    return template && { kind: 'template', template }
  }

  async function openAccount({ principal, channelId, ...rest }: AccountRequest) {
    const { organizationId, initiator } = principal
    const credential = await connections.credential(organizationId, channelId)
    const account = { mount: 'upstream' as const, id: credential.wabaId, item: '', parameters: [] }
    return { ...rest, ...account, organizationId, channelId, initiator, credential }
  }

  return {
    async handle({ method, url, principal, ...request }: FacadeRequest): Promise<FacadeResponse> {
      const target = parseTarget(url)
      const kinds = target ? listPossibleKinds(method, target) : []
      if (!target || kinds.length === 0) throw notFound('resource_not_found')
      const key = { organizationId: principal.organizationId, channelId: requireChannel(principal) }
      const channel = await connections.find({ organizationId: key.organizationId, id: key.channelId })
      const node = await findNode(key, target, kinds, channel)
      const allowed = node && findOperation(method, node.kind, target)
      if (!allowed) throw notFound('resource_not_found')
      const { operation, scope } = allowed
      if (operation === 'debugToken')
        return describeToken(principal, { wabaId: channel.waba_id, appId }, requireGraphRequest(request.raw))
      const credential = connections.openCredential(key.organizationId, channel)
      if (scope) requireAnyScope(principal, [scope].flat())
      const { mount, id, item } = target
      const parameters = listParameters(allowed, mount)
      const query = parseQuery(target.search, parameters, { ignoresUnknown: mount === 'graph' })
      const { initiator } = principal
      const { template } = node
      const found = { mount, id, item, template, parameters, query }
      return operations[operation]({ ...key, ...request, ...found, initiator, credential })
    },

    /** Replaces the components of a template of the channel's account, for a person whose role the access rules have checked. */
    async editTemplate(request: AccountRequest, name: string, { hsm_id, ...changes }: EditTemplate): Promise<void> {
      const own = await openAccount(request)
      const template = await findOwnTemplate({ ...deps, calls }, own, hsm_id)
      if (template?.name !== name) throw notFound('resource_not_found')
      const bytes = Buffer.from(JSON.stringify(changes))
      const body = { bytes, failure: undefined, contentType: 'application/json', isPresent: true }
      await operations.editTemplate({ ...own, template, parameters: Object.keys(changes), body, range: undefined })
    },

    /** An operation on the account of a channel, for a person whose role the access rules have checked. */
    async operate(operation: AccountOperation, request: AccountRequest): Promise<FacadeResponse> {
      return operations[operation]({ ...(await openAccount(request)), body: NO_BODY, range: undefined })
    },
  }
}

/** The access rules admit channel tokens only, so a missing channel is a defect in them. */
function requireChannel({ channelId }: Principal): string {
  if (channelId === null) throw new Error('The facade was reached without a channel token')
  return channelId
}
