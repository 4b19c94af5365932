import {
  ACCOUNT_EVENTS,
  applyAccountEvent,
  buildRestriction,
  RESTRICTIONS,
  setPhoneQuality,
  setThroughput,
} from '../graph/accounts/account-events.ts'
import type { Graph } from '../graph/context.ts'
import type { Account, Phone } from '../graph/model.ts'
import { displayNumber } from '../graph/phones/phones.ts'
import { asObject, type JsonObject } from '../json.ts'
import { type ControlRoute, route } from './context.ts'
import { ControlError, createReader, type Reader, requireFound } from './reader.ts'
import { addAccount, addNumber, issueCode, issueToken } from './seeding.ts'

const QUALITIES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN', 'NA'] as const

export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route('POST', '/accounts', ({ graph }, { body }) => {
    const account = addAccount(graph, body)
    const numbers = (body.list('numbers') ?? []).map((number) => addNumber(graph, account, createReader(number)))
    const token = issueToken(graph, [account.id], createReader({ access_token: body.text('access_token') }))
    return { ...toAccountView(account, numbers), access_token: token.value }
  }),
  route('GET', '/accounts', ({ graph }) => ({
    accounts: [...graph.state.accounts.values()].map((account) => toAccountView(account, listNumbers(graph, account))),
  })),
  route('PATCH', '/accounts/:id', ({ graph }, { params, body }) => {
    const account = findAccount(graph, params.id)
    account.messagingLimit = body.text('messaging_limit') ?? account.messagingLimit
    account.reviewStatus = body.text('review_status') ?? account.reviewStatus
    account.name = body.text('name') ?? account.name
    account.isSubscribed = body.flag('subscribed') ?? account.isSubscribed
    if (!account.isSubscribed) account.callbackUrl = undefined
    account.isLocked = body.flag('locked') ?? account.isLocked
    const hasMarketing = body.flag('marketing_messages')
    if (hasMarketing !== undefined) account.refusesMarketingMessages = !hasMarketing
    return toAccountView(account, listNumbers(graph, account))
  }),
  route('POST', '/accounts/:id/events', ({ graph }, { params, body }) => {
    const account = findAccount(graph, params.id)
    const name = body.oneOf('event', Object.keys(ACCOUNT_EVENTS))
    const restrictions = parseRestrictions(body)
    const event = name === 'restrict' && restrictions ? buildRestriction(restrictions) : ACCOUNT_EVENTS[name]
    applyAccountEvent(graph, account, requireFound(event, 'event'))
    return toAccountView(account, listNumbers(graph, account))
  }),
  route('POST', '/accounts/:id/numbers', ({ graph }, { params, body }) =>
    toNumberView(addNumber(graph, findAccount(graph, params.id), body)),
  ),
  route('PATCH', '/numbers/:id', ({ graph }, { params, body }) => {
    const phone = findNumber(graph, params.id)
    changeNumber(graph, phone, body)
    return toNumberView(phone)
  }),
  route('POST', '/tokens', ({ graph }, { body }) => ({
    access_token: issueToken(graph, parseWabaIds(graph, body), body).value,
  })),
  route('POST', '/tokens/revoke', ({ graph }, { body }) => {
    const [value, wabaId] = [body.text('access_token'), body.text('waba_id')]
    const tokens = [...graph.state.tokens.values()].filter(
      (token) => token.value === value || (wabaId !== undefined && token.wabaIds.includes(wabaId)),
    )
    for (const token of tokens) token.revokedSubcode = body.number('subcode') ?? 460
    return { revoked: tokens.length }
  }),
  route('POST', '/codes', ({ graph }, { body }) => {
    const [wabaId, ...others] = parseWabaIds(graph, body)
    const code = issueCode(graph, wabaId === undefined ? [] : [wabaId, ...others], body)
    return { code: code.value, waba_id: wabaId }
  }),
]

function parseRestrictions(body: Reader): string[] | undefined {
  const types = body.list('restrictions')?.map(String)
  const isKnown = types?.every((type) => RESTRICTIONS.includes(type)) ?? true
  if (!isKnown) throw new ControlError(400, `restrictions must be some of ${RESTRICTIONS.join(', ')}`)
  return types
}

export function findAccount(graph: Graph, id: string): Account {
  return requireFound(graph.state.accounts.get(id), 'account')
}

export function findNumber(graph: Graph, id: string): Phone {
  return requireFound(graph.state.phones.get(id), 'number')
}

function listNumbers(graph: Graph, account: Account): Phone[] {
  return [...graph.state.phones.values()].filter((phone) => phone.wabaId === account.id)
}

function parseWabaIds(graph: Graph, body: Reader): string[] {
  const ids = body.list('waba_ids')?.map(String) ?? [body.required('waba_id')]
  return ids.map((id) => findAccount(graph, id).id)
}

function changeNumber(graph: Graph, phone: Phone, body: Reader): void {
  if (body.text('quality') !== undefined) {
    const quality = body.oneOf('quality', QUALITIES)
    const isGood = quality === 'GREEN' || quality === 'UNKNOWN'
    setPhoneQuality(
      graph,
      phone,
      quality,
      body.text('status') ?? phone.status,
      body.text('event') ?? (isGood ? 'UNFLAGGED' : 'FLAGGED'),
    )
  }
  phone.status = body.text('status') ?? phone.status
  setThroughput(graph, phone, body.oneOf('throughput', ['STANDARD', 'HIGH'], phone.throughput))
  phone.codeVerification = body.oneOf(
    'code_verification_status',
    ['VERIFIED', 'NOT_VERIFIED', 'EXPIRED'],
    phone.codeVerification,
  )
  phone.callingEnabled = body.flag('calling_enabled') ?? phone.callingEnabled
  phone.sharesHistory = body.flag('shares_history') ?? phone.sharesHistory
  const name = body.text('verified_name')
  if (name !== undefined) decideName(graph, phone, name, body.text('decision') ?? 'APPROVED')
}

function decideName(graph: Graph, phone: Phone, name: string, decision: string): void {
  if (!['APPROVED', 'DEFERRED', 'PENDING', 'REJECTED'].includes(decision)) {
    throw new ControlError(400, 'decision must be one of APPROVED, DEFERRED, PENDING, REJECTED')
  }
  if (decision === 'APPROVED') phone.verifiedName = name
  phone.nameStatus = decision === 'REJECTED' ? 'DECLINED' : decision === 'APPROVED' ? 'APPROVED' : 'PENDING_REVIEW'
  graph.webhooks.emit({
    entryId: phone.wabaId,
    wabaId: phone.wabaId,
    isTimed: true,
    field: 'phone_number_name_update',
    value: {
      display_phone_number: phone.digits,
      decision,
      requested_verified_name: name,
      rejection_reason: decision === 'REJECTED' ? 'NAME_FORMAT_INVALID' : null,
    },
  })
}

function toAccountView(account: Account, phones: Phone[]): JsonObject {
  const { id, businessId, name, isLocked, isRemoved, isSubscribed, callbackUrl } = account
  return asObject({
    waba_id: id,
    business_id: businessId,
    name,
    subscribed: isSubscribed,
    callback_url: callbackUrl,
    locked: isLocked,
    removed: isRemoved,
    numbers: phones.map(toNumberView),
  })
}

export function toNumberView(phone: Phone): JsonObject {
  return {
    phone_number_id: phone.id,
    number: phone.digits,
    display_phone_number: displayNumber(phone.digits),
    verified_name: phone.verifiedName,
    status: phone.status,
    quality: phone.quality,
    registered: phone.isRegistered,
    coexistence: phone.isOnBizApp,
  }
}
