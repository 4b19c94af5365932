import type { ChatMessage, ConsoleDelivery, MessageEntry } from '@hubline/sdk/console'
import type { Shown } from '../search.ts'

export type EndpointDelivery = ConsoleDelivery & { endpoint: { id: string; name: string } }

/** The way of a customer's message to an endpoint, in milliseconds. */
export type Journey = { toHub: number; toCode: number }

type Base = {
  key: string
  /** Milliseconds. */
  at: number
  /** The upstream writes whole seconds. */
  isWholeSecond: boolean
  /** The id of the message that the row is about: the same id is in the bubble. */
  wamid: string | null
}
export type StreamRow = Base &
  (
    | { kind: 'phone'; message: ChatMessage }
    | { kind: 'callback'; field: 'messages'; message: MessageEntry }
    | { kind: 'callback'; field: 'statuses'; status: Report; message: MessageEntry }
    | { kind: 'api'; message: MessageEntry }
    | { kind: 'upstream'; message: ChatMessage }
    | { kind: 'delivery'; delivery: EndpointDelivery; journey: Journey | undefined }
  )

const REPORTS = ['sent', 'delivered', 'read', 'failed'] as const
type Report = (typeof REPORTS)[number]

const KINDS: Record<Shown, readonly StreamRow['kind'][]> = {
  all: ['phone', 'callback', 'api', 'upstream', 'delivery'],
  deliveries: ['delivery'],
  api: ['api'],
  callbacks: ['callback'],
}
/** The cause of rows of the same moment stands below its effect. */
const RANKS: Record<StreamRow['kind'], number> = { phone: 0, api: 0, callback: 2, upstream: 1, delivery: 3 }

type Sources = {
  chat: readonly ChatMessage[]
  log: readonly MessageEntry[]
  deliveries: readonly EndpointDelivery[]
  /** The id of the message that a delivery is about, by the id of the delivery. */
  links: ReadonlyMap<string, string>
}

/** Lists the events, newest first. Every row is something that the hub or the simulator has recorded. */
export function listRows({ chat, log, deliveries, links }: Sources, show: Shown): StreamRow[] {
  const accepted = new Map(chat.map((message) => [message.id, message]))
  const messages = new Map(log.map((message) => [message.id, message]))
  const rows = [
    ...chat.filter(({ from }) => from === 'customer').map(toPhoneRow),
    ...log.flatMap((message) => toMessageRows(message, accepted.get(message.upstream_message_id ?? ''))),
    ...deliveries.map((delivery) => {
      const message = messages.get(links.get(delivery.id) ?? '')
      return toDeliveryRow(delivery, message, accepted.get(message?.upstream_message_id ?? ''))
    }),
  ]
  return rows
    .filter(({ kind }) => KINDS[show].includes(kind))
    .toSorted((a, b) => b.at - a.at || RANKS[b.kind] - RANKS[a.kind])
}

function toPhoneRow(message: ChatMessage): StreamRow {
  return {
    key: `phone-${message.id}`,
    at: Date.parse(message.at),
    isWholeSecond: false,
    wamid: message.id,
    kind: 'phone',
    message,
  }
}

function toMessageRows(message: MessageEntry, accepted: ChatMessage | undefined): StreamRow[] {
  const common = { wamid: message.upstream_message_id, message }
  const at = readIdTime(message.id)
  const first = { ...common, key: toMessageKey(message), at, isWholeSecond: false }
  if (message.direction === 'inbound') return [{ ...first, kind: 'callback', field: 'messages' }]
  const rows: StreamRow[] = [{ ...first, kind: 'api' }]
  if (accepted) {
    const { id } = accepted
    const acceptedAt = Date.parse(accepted.at)
    rows.push({
      key: `upstream-${id}`,
      at: acceptedAt,
      isWholeSecond: false,
      wamid: id,
      kind: 'upstream',
      message: accepted,
    })
  }
  // A message that the upstream refused at once has a failure without a callback.
  return message.upstream_message_id === null ? rows : [...rows, ...toReportRows(message, rows.at(-1)?.at ?? at)]
}

/** A report is never older than what it reports on, although its whole second may be. */
function toReportRows(message: MessageEntry, notBefore: number): StreamRow[] {
  let latest = notBefore
  return REPORTS.flatMap((status) => {
    const at = message[`${status}_at`]
    if (at === null) return []
    latest = Math.max(Date.parse(at), latest + 1)
    const key = `${status}-${message.id}`
    const wamid = message.upstream_message_id
    return [{ key, at: latest, isWholeSecond: true, wamid, kind: 'callback', field: 'statuses', status, message }]
  })
}

/** A delivery happens when the endpoint takes it; until then, when it was made. */
function toDeliveryRow(
  delivery: EndpointDelivery,
  message: MessageEntry | undefined,
  bubble: ChatMessage | undefined,
): StreamRow {
  return {
    key: `delivery-${delivery.id}`,
    at: delivery.delivered_at === null ? readIdTime(delivery.id) : Date.parse(delivery.delivered_at),
    isWholeSecond: false,
    wamid: message?.upstream_message_id ?? null,
    kind: 'delivery',
    delivery,
    journey: message && bubble && measureJourney(delivery, message, bubble),
  }
}

/** The simulator and the hub share a clock, because they are one process. */
function measureJourney(
  { event, delivered_at }: EndpointDelivery,
  message: MessageEntry,
  bubble: ChatMessage,
): Journey | undefined {
  if (event !== 'message.received' || delivered_at === null) return undefined
  const hubAt = readIdTime(message.id)
  return {
    toHub: Math.max(0, hubAt - Date.parse(bubble.at)),
    toCode: Math.max(0, Date.parse(delivered_at) - hubAt),
  }
}

export function toMessageKey({ id }: { id: string }): string {
  return `message-${id}`
}

/** Ids begin with the moment at which the hub gave them, in milliseconds. */
export function readIdTime(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}
