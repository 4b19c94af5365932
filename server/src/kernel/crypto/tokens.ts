import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A token is a prefix, 43 base62 characters of randomness and a 6-character
 * CRC32 of both. The randomness of a hub with a cell begins with its mark, by which the edge of several cells routes: 232
 * random bits are left. With the checksum the hub refuses a mistyped or invented token
 * without a query, and secret scanners recognize a real one.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const SHAPE = /^(hub_[a-z]{2}_)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

export const TOKEN_PREFIX = {
  api_key: 'hub_pk_',
  channel_token: 'hub_ch_',
  session: 'hub_ss_',
  invitation: 'hub_in_',
  password_reset: 'hub_pr_',
  email_verification: 'hub_ev_',
  sign_up: 'hub_su_',
  connect_link: 'hub_cl_',
  billing_link: 'hub_bl_',
} as const

export type TokenKind = keyof typeof TOKEN_PREFIX

/** Makes tokens of this hub. */
export type NewToken = (kind: TokenKind) => string

/** `cell` is the mark of the tokens, empty for a hub without one. */
export function newToken(kind: TokenKind, cell = ''): string {
  const body = `${TOKEN_PREFIX[kind]}${cell}${randomBase62(RANDOM_LENGTH - cell.length)}`
  return body + checksum(body)
}

/** The kind of a well-formed token; undefined for any other text. */
export function readTokenKind(token: string): TokenKind | undefined {
  const [, prefix, random, check] = SHAPE.exec(token) ?? []
  if (prefix === undefined || random === undefined || checksum(prefix + random) !== check) return undefined
  const kinds = Object.keys(TOKEN_PREFIX) as TokenKind[]
  return kinds.find((kind) => TOKEN_PREFIX[kind] === prefix)
}

/** Plain SHA-256 is enough: a token has at least 232 random bits and cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function getLast4(token: string): string {
  return token.slice(-4)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = ALPHABET.charAt(rest % 62) + out
    rest = Math.floor(rest / 62)
  }
  return out
}

/** Drops bytes of 248 and above: they would make the first eight characters more likely. */
function randomBase62(length: number): string {
  let out = ''
  while (out.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && out.length < length) out += ALPHABET.charAt(byte % 62)
    }
  }
  return out
}
