import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Account, DAY_MS, type Phone } from '../model.ts'

interface AccountEvent {
  members(graph: Graph, account: Account): JsonObject
  /** The changes of the account. */
  effect: Partial<Account>
}

function day(graph: Graph): string {
  return new Date(graph.clock.now()).toISOString().slice(0, 10)
}

function ban(state: string): AccountEvent['members'] {
  return (graph) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state, waba_ban_date: day(graph) } })
}

function partner(event: string, extra: JsonObject = {}): AccountEvent['members'] {
  return (graph, account) => ({
    event,
    waba_info: { waba_id: account.id, owner_business_id: account.businessId, partner_app_id: graph.app.id },
    ...extra,
  })
}

/** A removed partner can no longer read the account and gets no more webhooks of it. */
const GONE: Partial<Account> = { isRemoved: true, isSubscribed: false, callbackUrl: undefined }

/** An account may be kept from these: writing first, replying, adding numbers. */
export const RESTRICTIONS: readonly string[] = [
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
  'RESTRICTED_ADD_PHONE_NUMBER_ACTION',
]

export function buildRestriction(types: readonly string[]): AccountEvent {
  return {
    members(graph) {
      const expiration = Math.floor((graph.clock.now() + 7 * DAY_MS) / 1_000)
      return {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: types.map((restriction_type) => ({ restriction_type, expiration })),
      }
    },
    effect: {},
  }
}

/** The events of an account: the webhook of each, and its effect. */
export const ACCOUNT_EVENTS: Readonly<Record<string, AccountEvent>> = {
  restrict: buildRestriction(['RESTRICTED_BIZ_INITIATED_MESSAGING']),
  violate: {
    members: () => ({ event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } }),
    effect: {},
  },
  schedule_ban: { members: ban('SCHEDULE_FOR_DISABLE'), effect: {} },
  ban: { members: ban('DISABLE'), effect: { isLocked: true } },
  reinstate: { members: ban('REINSTATE'), effect: { isLocked: false } },
  remove: { members: partner('PARTNER_REMOVED'), effect: GONE },
  disconnect: {
    members: partner('PARTNER_REMOVED', {
      disconnection_info: { reason: 'ACCOUNT_DISCONNECTED', initiated_by: 'USER' },
    }),
    effect: GONE,
  },
  uninstall: {
    members: partner('PARTNER_APP_UNINSTALLED'),
    effect: { isSubscribed: false, callbackUrl: undefined },
  },
  offboard: { members: partner('ACCOUNT_OFFBOARDED'), effect: {} },
  reconnect: { members: partner('ACCOUNT_RECONNECTED'), effect: { isRemoved: false } },
  delete: { members: () => ({ event: 'ACCOUNT_DELETED' }), effect: GONE },
}

/** Emits the webhook first: the event may end the subscription that sends it. */
export function applyAccountEvent(graph: Graph, account: Account, event: AccountEvent): void {
  const value = event.members(graph, account)
  const isPartnerApp = String(value.event).startsWith('PARTNER_APP_')
  emitAccount(graph, account, value, isPartnerApp ? graph.app.businessId : account.id)
  Object.assign(account, event.effect)
}

/** Announces a sign-up under the partner's business id. It needs no subscription. */
export function emitPartnerAdded(graph: Graph, account: Account): void {
  const value = partner('PARTNER_ADDED')(graph, account)
  graph.webhooks.emit({ entryId: graph.app.businessId, isTimed: true, field: 'account_update', value })
}

function emitAccount(graph: Graph, account: Account, value: JsonObject, entryId: string): void {
  graph.webhooks.emit({ entryId, wabaId: account.id, isTimed: true, field: 'account_update', value })
}

/** Quality updates identify the number only by its digits. */
export function setPhoneQuality(graph: Graph, phone: Phone, quality: string, status: string, event: string): void {
  phone.quality = quality
  phone.status = status
  emitNumberEvent(graph, phone, event)
}

/** The upstream raises the throughput by itself, and says so without the new level. */
export function setThroughput(graph: Graph, phone: Phone, level: Phone['throughput']): void {
  const isRaised = level === 'HIGH' && phone.throughput !== 'HIGH'
  phone.throughput = level
  if (isRaised) emitNumberEvent(graph, phone, 'THROUGHPUT_UPGRADE')
}

function emitNumberEvent(graph: Graph, phone: Phone, event: string): void {
  const limit = graph.state.accounts.get(phone.wabaId)?.messagingLimit
  graph.webhooks.emit({
    entryId: phone.wabaId,
    wabaId: phone.wabaId,
    phoneId: phone.id,
    isTimed: true,
    field: 'phone_number_quality_update',
    value: { display_phone_number: phone.digits, event, current_limit: limit },
  })
}
