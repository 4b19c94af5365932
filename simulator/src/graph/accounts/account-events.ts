import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Account, DAY_MS, type Phone } from '../model.ts'

interface AccountEvent {
  members(graph: Graph, account: Account): JsonObject
  /** What changes in the account. */
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

/** A partner that was removed neither sees the account nor hears of it again. */
const GONE: Partial<Account> = { isRemoved: true, isSubscribed: false }

/** What can applyAccountEvent an account: the webhook that tells of it, and what no longer works afterwards. */
export const ACCOUNT_EVENTS: Readonly<Record<string, AccountEvent>> = {
  restrict: {
    members: (graph) => ({
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        {
          restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
          expiration: Math.floor((graph.clock.now() + 7 * DAY_MS) / 1_000),
        },
      ],
    }),
    effect: {},
  },
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
    effect: { isSubscribed: false },
  },
  offboard: { members: partner('ACCOUNT_OFFBOARDED'), effect: {} },
  reconnect: { members: partner('ACCOUNT_RECONNECTED'), effect: { isRemoved: false } },
  delete: { members: () => ({ event: 'ACCOUNT_DELETED' }), effect: GONE },
}

/** The webhook leaves first: afterwards there may be no subscription left to send it by. */
export function applyAccountEvent(graph: Graph, account: Account, event: AccountEvent): void {
  const value = event.members(graph, account)
  const isPartnerApp = String(value.event).startsWith('PARTNER_APP_')
  emitAccount(graph, account, value, isPartnerApp ? graph.app.businessId : account.id)
  Object.assign(account, event.effect)
}

/** A business that signs up is announced under the partner's own id, before anything is subscribed. */
export function emitPartnerAdded(graph: Graph, account: Account): void {
  const value = partner('PARTNER_ADDED')(graph, account)
  graph.webhooks.emit({ entryId: graph.app.businessId, isTimed: true, field: 'account_update', value })
}

function emitAccount(graph: Graph, account: Account, value: JsonObject, entryId: string): void {
  graph.webhooks.emit({ entryId, wabaId: account.id, isTimed: true, field: 'account_update', value })
}

/** Quality updates name the number by its digits and nothing else. */
export function setPhoneQuality(graph: Graph, phone: Phone, quality: string, status: string, event: string): void {
  phone.quality = quality
  phone.status = status
  const limit = graph.state.accounts.get(phone.wabaId)?.messagingLimit
  graph.webhooks.emit({
    entryId: phone.wabaId,
    wabaId: phone.wabaId,
    isTimed: true,
    field: 'phone_number_quality_update',
    value: { display_phone_number: phone.digits, event, current_limit: limit },
  })
}
