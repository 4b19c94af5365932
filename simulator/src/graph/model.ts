import type { JsonObject } from '../json.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A WhatsApp Business account. */
export interface Account {
  id: string
  name: string
  businessId: string
  currency: string
  timezoneId: string
  country: string
  namespace: string
  reviewStatus: string
  verificationStatus: string
  messagingLimit: string
  createdAt: number
  /** Locked accounts keep their nodes but refuse to send. */
  isLocked: boolean
  isRemoved: boolean
  /** True if the app is subscribed to the account's webhooks. */
  isSubscribed: boolean
  /** When templates were created in the last hour. */
  templateCreations: number[]
  /** The names of deleted approved templates, and until when they are blocked. */
  blockedNames: Map<string, number>
  /** True if the account may not use the Marketing Messages API. */
  refusesMarketingMessages?: boolean
  /** Receives the account's webhooks in place of the app's callback, where a field can be sent elsewhere. */
  callbackUrl?: string | undefined
}

export interface Phone {
  id: string
  wabaId: string
  digits: string
  verifiedName: string
  nameStatus: string
  status: string
  quality: string
  codeVerification: 'VERIFIED' | 'NOT_VERIFIED' | 'EXPIRED'
  isRegistered: boolean
  wasEverRegistered: boolean
  isOnBizApp: boolean
  throughput: 'STANDARD' | 'HIGH'
  pin: string | undefined
  pinFailures: number
  registrations: number[]
  deregistrations: number[]
  onboardedAt: number
  syncsDone: Set<string>
  sharesHistory: boolean
  callingEnabled: boolean
  profile: JsonObject
}

export interface QrCode {
  code: string
  message: string
}

/** The business's settings on the edges of a number. */
export interface NumberSettings {
  /** The wa_ids of blocked people, in the order of their blocking. */
  blocked: Set<string>
  qrCodes: Map<string, QrCode>
  automation: JsonObject
  commerce: { is_cart_enabled: boolean; is_catalog_visible: boolean }
  /** PEM, for the endpoints of flows. */
  publicKey: string | undefined
  username: string | undefined
  calling: JsonObject
  /** Receives the webhooks of the number in place of the app's callback. */
  callbackUrl: string | undefined
}

/** Faults of one number: of the phones of its customers, and of its webhooks. */
export interface NumberFaults {
  /** Messages are sent and not delivered until the phone is back. */
  phoneOffline: boolean
  /** Each webhook is sent this much later. */
  callbackDelayMs: number
  /** True if each delivered webhook is sent a second time. */
  duplicate: boolean
  /** True if webhooks are collected and sent in reverse order. */
  reorder: boolean
  /** Every message of the number fails with this code of the error table. */
  failWith: number | null
}

export interface Token {
  value: string
  kind: 'system_user' | 'app'
  wabaIds: string[]
  scopes: string[]
  issuedAt: number
  /** 0 means never. */
  expiresAt: number
  /** Set when revoked: the subcode of the refusal. */
  revokedSubcode: number | undefined
  userId: string
}

export interface Code {
  value: string
  token: Token
  redirectUri: string
  issuedAt: number
  isUsed: boolean
}

/** The behavior of a person's phone. */
export interface Behavior {
  delivers: boolean
  reads: boolean
  /** Every message to this person fails with this code of the error table. */
  fails_with: number | undefined
}

export interface Contact {
  waId: string
  name: string
  username: string | undefined
  /** The number that `from` shows, if it is not the wa_id. */
  number: string | undefined
  /** The hash of the person's identity key; shown in `contacts` if it is set. */
  identityKeyHash: string | undefined
  /** True if the business sees only the person's user id. */
  hidesPhone: boolean
  behavior: Behavior
  hasStoppedMarketing: boolean
}

/** A group of a number. */
export interface Group {
  id: string
  phoneId: string
  /** The wa_ids of its members beside the business. */
  participants: string[]
}

export interface Message {
  id: string
  phoneId: string
  /** Empty for a message to a group, and for one to a user id that no person has. */
  waId: string
  groupId?: string | undefined
  direction: 'inbound' | 'outbound'
  type: string
  content: JsonObject
  /** Set in a person's message that answers another. */
  context?: JsonObject | undefined
  at: number
  statuses: string[]
  pricing: JsonObject
  category: string
  country: string
  callbackData: string | undefined
  templateId: string | undefined
  /** The code of a failed message. */
  failureCode?: number
}

export interface Template {
  id: string
  wabaId: string
  name: string
  language: string
  category: string
  previousCategory: string | undefined
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: JsonObject[]
  status: string
  quality: string
  rejectedReason: string
  ttlSeconds: number | undefined
  createdAt: number
  /** When it was edited while it was approved. */
  edits?: number[]
  /** The number of times it was paused. */
  pauses?: number
}

export interface Media {
  id: string
  phoneId: string
  wabaId: string
  mimeType: string
  filename: string | undefined
  size: number
  sha256: Buffer
  path: string
  head: Buffer
  expiresAt: number
}

export interface MediaLink {
  mediaId: string
  expiresAt: number
}

export interface Call {
  id: string
  phoneId: string
  waId: string
  hasEnded: boolean
}

export interface Upload {
  id: string
  signature: string
  fileType: string
  length: number
  offset: number
  handle: string | undefined
}

/** The state between a number and a person: the customer service window, and what the person shows to the number. */
export interface Relation {
  windowUntil: number
  /** In place of the name of the contact. */
  name?: string
  /** In place of the username of the contact; null if the person shows none. */
  username?: string | null
  /** In place of that of the contact. */
  hidesPhone?: boolean
}
