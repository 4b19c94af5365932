import type { ApiKeys } from '../../api-keys/service.ts'
import type { Audit } from '../../audit/service.ts'
import type { Usage } from '../../billing/usage/service.ts'
import type { Channels } from '../../channels/service.ts'
import type { CostVolumes } from '../../costs/volumes/service.ts'
import type { EventLog, KeptEvent } from '../../events/log/service.ts'
import type { Contacts } from '../../messages/contacts/service.ts'
import type { MessageLog } from '../../messages/log/service.ts'
import type { Invitations } from '../../organizations/invitations/service.ts'
import type { Members } from '../../organizations/members/service.ts'
import type { Organizations } from '../../organizations/service.ts'
import type { RequestLog } from '../../request-log/service.ts'
import type { Endpoints } from '../../webhooks/endpoints/service.ts'
import type { DeliveryLog } from '../../webhooks/log/service.ts'

const BATCH_SIZE = 500
const PAGE_SIZE = 100

export type ExportSources = {
  organizations: Pick<Organizations, 'findKept'>
  members: Pick<Members, 'list'>
  invitations: Pick<Invitations, 'listKept'>
  channels: Pick<Channels, 'listKept'>
  endpoints: Pick<Endpoints, 'list'>
  apiKeys: Pick<ApiKeys, 'list'>
  usage: Pick<Usage, 'listDaily'>
  costVolumes: Pick<CostVolumes, 'readAll'>
  audit: Pick<Audit, 'page'>
  contacts: Pick<Contacts, 'list'>
  messageLog: Pick<MessageLog, 'readAll'>
  eventLog: Pick<EventLog, 'readAll'>
  deliveryLog: Pick<DeliveryLog, 'readAll'>
  requestLog: Pick<RequestLog, 'page'>
}

/** The lines of one type: how they are read, and the JSON of each. */
type Section = { type: string; batches: AsyncIterable<string[]> }

/**
 * Lists everything that the hub has of an organization in the order of the file, small sections first. Each source selects its
 * columns by name, so that no secret, no hash of one and no token of the upstream gets here.
 */
export function listSections(sources: ExportSources, organizationId: string): Section[] {
  const { organizations, members, invitations, channels, endpoints, apiKeys, usage, audit } = sources
  const { costVolumes, contacts, messageLog, eventLog, deliveryLog, requestLog } = sources
  const byId = (before: string | null) => ({ organizationId, before, limit: BATCH_SIZE })
  return [
    { type: 'organization', batches: readOnce(async () => [await organizations.findKept(organizationId)]) },
    { type: 'member', batches: readOnce(() => members.list(organizationId)) },
    { type: 'invitation', batches: readById((before) => invitations.listKept(byId(before))) },
    { type: 'channel', batches: readById((before) => channels.listKept(byId(before))) },
    { type: 'webhook', batches: readById((before) => endpoints.list(organizationId, { before, limit: BATCH_SIZE })) },
    {
      type: 'api_key',
      batches: readPages(async (page) => toPage(await apiKeys.list(organizationId, page), 'api_keys')),
    },
    { type: 'usage', batches: readOnce(() => usage.listDaily(organizationId)) },
    { type: 'priced_messages', batches: toJson(costVolumes.readAll(organizationId)) },
    {
      type: 'audit_entry',
      batches: readPages(async (page) => toPage(await audit.page(organizationId, page), 'entries')),
    },
    {
      type: 'request',
      batches: readPages(async (page) => toPage(await requestLog.page(organizationId, page), 'requests')),
    },
    { type: 'contact', batches: readById((before) => contacts.list(byId(before))) },
    { type: 'message', batches: toJson(messageLog.readAll(organizationId)) },
    { type: 'event', batches: toJson(eventLog.readAll(organizationId), writeEvent) },
    { type: 'delivery', batches: toJson(deliveryLog.readAll(organizationId)) },
  ]
}

async function* readOnce(read: () => Promise<unknown[]>): AsyncGenerator<string[]> {
  yield (await read()).map((row) => JSON.stringify(row))
}

async function* readById<Row extends { id: string }>(read: (before: string | null) => Promise<Row[]>) {
  let before: string | null | undefined = null
  while (before !== undefined) {
    const rows: Row[] = await read(before)
    yield rows.map((row) => JSON.stringify(row))
    before = rows.at(-1)?.id
  }
}

type Page = { rows: unknown[]; next: string | null }

function toPage<Name extends string>(page: Record<Name, unknown[]> & { next_cursor: string | null }, name: Name): Page {
  return { rows: page[name], next: page.next_cursor }
}

async function* readPages(read: (page: { limit: number; cursor?: string }) => Promise<Page>) {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page = await read(cursor === undefined ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor })
    yield page.rows.map((row) => JSON.stringify(row))
    cursor = page.next
  }
}

async function* toJson<Row>(batches: AsyncIterable<Row[]>, write: (row: Row) => string = JSON.stringify) {
  for await (const rows of batches) yield rows.map(write)
}

/** Writes the payload as it is stored, so that numbers keep their digits. Bytes that are not JSON in UTF-8 become base64. */
function writeEvent({ body, ...event }: KeptEvent): string {
  const payload = readJson(body)
  if (payload === undefined) return JSON.stringify({ ...event, payload: null, payload_base64: body.toString('base64') })
  return `${JSON.stringify(event).slice(0, -1)},"payload":${payload}}`
}

/** Puts the JSON on one line: a line break in it is white space, because a string of JSON contains none. */
function readJson(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    JSON.parse(text)
    return text.replace(/[\r\n]+/g, ' ')
  } catch {
    // The upstream's bytes are stored as they came, even if they are not JSON.
    return undefined
  }
}
