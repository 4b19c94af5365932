import type { Graph } from '../graph/context.ts'
import { parseDigits } from '../graph/messages/recipients.ts'
import type { Account, Code, Phone, Token } from '../graph/model.ts'
import { ControlError, type Reader } from './reader.ts'

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

/** Adds an account that has not used the platform before. */
export function addAccount(graph: Graph, input: Reader): Account {
  const { random, state, clock } = graph
  const name = input.text('name') ?? 'Padaria São João'
  const business = { id: input.text('business_id') ?? random.digits(15), name: input.text('business_name') ?? name }
  state.businesses.set(business.id, business)
  const account: Account = {
    id: input.text('waba_id') ?? random.digits(15),
    name,
    businessId: business.id,
    currency: input.text('currency') ?? 'BRL',
    timezoneId: '25',
    country: input.text('country') ?? 'BR',
    namespace: random.text(24).toLowerCase(),
    reviewStatus: input.text('review_status') ?? 'APPROVED',
    verificationStatus: input.flag('verified') === false ? 'not_verified' : 'verified',
    messagingLimit: input.text('messaging_limit') ?? 'TIER_2K',
    createdAt: clock.now(),
    isLocked: false,
    isRemoved: false,
    isSubscribed: input.flag('subscribed') ?? false,
    templateCreations: [],
    blockedNames: new Map(),
  }
  state.accounts.set(account.id, account)
  return account
}

/** Adds a number to an account. A coexistence number is on the business app and already registered. */
export function addNumber(graph: Graph, account: Account, input: Reader): Phone {
  const { random, state, clock } = graph
  const digits = parseDigits(input.text('number') ?? `5511${random.digits(9)}`)
  if (!digits) throw new ControlError(400, 'number must be a phone number with its country code')
  const isOnBizApp = input.flag('coexistence') ?? false
  const isRegistered = isOnBizApp || (input.flag('registered') ?? false)
  const phone: Phone = {
    id: input.text('phone_number_id') ?? random.digits(15),
    wabaId: account.id,
    digits,
    verifiedName: input.text('verified_name') ?? account.name,
    nameStatus: 'APPROVED',
    status: isRegistered ? 'CONNECTED' : 'PENDING',
    quality: input.text('quality') ?? 'GREEN',
    codeVerification: input.flag('verified') === false ? 'NOT_VERIFIED' : 'VERIFIED',
    isRegistered,
    wasEverRegistered: isRegistered,
    isOnBizApp,
    throughput: input.oneOf('throughput', ['STANDARD', 'HIGH'], 'STANDARD'),
    pin: input.text('pin'),
    pinFailures: 0,
    registrations: [],
    deregistrations: [],
    onboardedAt: clock.now(),
    syncsDone: new Set(),
    sharesHistory: input.flag('shares_history') ?? true,
    callingEnabled: input.flag('calling_enabled') ?? true,
    profile: { about: 'Hey there! I am using WhatsApp.', vertical: 'OTHER' },
  }
  state.phones.set(phone.id, phone)
  return phone
}

export function makeToken(graph: Graph, wabaIds: string[], input: Reader): Token {
  const life = input.number('expires_in_seconds')
  return {
    value: input.text('access_token') ?? `EAA${graph.random.text(120)}`,
    kind: 'system_user',
    wabaIds,
    scopes: input.list('scopes')?.map(String) ?? SCOPES,
    issuedAt: graph.clock.now(),
    expiresAt: life === undefined ? 0 : graph.clock.now() + life * 1_000,
    revokedSubcode: undefined,
    userId: graph.random.digits(15),
  }
}

export function issueToken(graph: Graph, wabaIds: string[], input: Reader): Token {
  const token = makeToken(graph, wabaIds, input)
  graph.state.tokens.set(token.value, token)
  return token
}

/** The token of a code is stored when the code is exchanged. */
export function issueCode(graph: Graph, wabaIds: string[], input: Reader): Code {
  const code: Code = {
    value: `AQ${graph.random.text(180)}`,
    token: makeToken(graph, wabaIds, input),
    redirectUri: input.text('redirect_uri') ?? '',
    issuedAt: graph.clock.now(),
    isUsed: false,
  }
  graph.state.codes.set(code.value, code)
  return code
}
