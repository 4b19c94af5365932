import type { ApiKey, AuditEntry, Channel, Delivery, Inspector, MessageEntry, Webhook } from '@hubline/sdk/console'

export const KEY_NAME = 'first-key'
const TAKEN = ['accepted', 'sent', 'delivered', 'read']

/** The progress of an organization. Each part is undefined until its step is done. */
export type Progress = {
  channel: Channel | undefined
  number: string | undefined
  key: ApiKey | undefined
  /** True if a customer has written, so that any text may be sent. */
  isWindowOpen: boolean
  /** The newest message of the channel to a customer, also if it failed. */
  lastSent: MessageEntry | undefined
  sent: MessageEntry | undefined
  endpoint: Webhook | undefined
  listenedAt: string | undefined
  /** The receiver inside the hub. What it gets is not yet received by the organization's own code. */
  inspector: Inspector | undefined
  receivedAt: string | undefined
  /** The newest delivery of a customer's message that an endpoint refused. */
  refused: RefusedDelivery | undefined
}

export type RefusedDelivery = Delivery & { webhookId: string; isHeld: boolean }

/** The hub's data, each list with the newest first. */
type Recorded = {
  channel: Channel | undefined
  keys: readonly ApiKey[]
  endpoints: readonly Webhook[]
  listeners: readonly Pick<AuditEntry, 'created_at'>[]
  outbound: readonly MessageEntry[]
  inbound: readonly MessageEntry[]
  deliveries: readonly RefusedDelivery[]
}

/** The channel that the steps are about: one with a number, else the last of the list. */
export function chooseChannel(channels: readonly Channel[]): Channel | undefined {
  return channels.find(hasNumber) ?? channels.at(-1)
}

function hasNumber({ phone_number_id, status }: Channel): boolean {
  return phone_number_id !== null && status !== 'pending'
}

export function summarizeProgress(recorded: Recorded): Omit<Progress, 'inspector'> {
  const { channel, keys, endpoints, listeners, outbound, inbound } = recorded
  const deliveries = recorded.deliveries
    .filter(({ event }) => event === 'message.received')
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const listenedAt = listeners[0]?.created_at
  const listened = inbound.find(({ created_at }) => listenedAt !== undefined && created_at > listenedAt)
  return {
    channel,
    number: channel && hasNumber(channel) ? (channel.display_phone_number ?? '') : undefined,
    key: keys.find(({ name, status }) => name === KEY_NAME && status === 'active'),
    isWindowOpen: inbound.length > 0,
    lastSent: outbound[0],
    sent: outbound.find(({ status }) => TAKEN.includes(status)),
    endpoint: endpoints[0],
    listenedAt,
    receivedAt: findTaken(deliveries) ?? listened?.created_at,
    refused: deliveries.find(({ last_error_code }) => last_error_code !== null),
  }
}

/** When an endpoint took a message of a customer. */
function findTaken(deliveries: readonly Delivery[]): string | undefined {
  const taken = deliveries.find(({ status }) => status === 'succeeded')
  return taken?.delivered_at ?? taken?.created_at
}

export const STEPS = ['create', 'connect', 'send', 'webhook', 'receive'] as const
export type StepName = (typeof STEPS)[number]

export function isDone(step: StepName, progress: Progress): boolean {
  const { channel, number, sent, endpoint, listenedAt, inspector, receivedAt } = progress
  if (step === 'create') return channel !== undefined
  if (step === 'connect') return number !== undefined
  if (step === 'send') return sent !== undefined
  if (step === 'webhook') return endpoint !== undefined || listenedAt !== undefined || inspector !== undefined
  return receivedAt !== undefined
}
