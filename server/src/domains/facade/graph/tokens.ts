import type { IncomingMessage } from 'node:http'

/** The parameters of Graph that hold a token. They are cut from an address before anything else reads it. */
const TOKEN_NAMES = ['access_token', 'input_token'] as const
type TokenName = (typeof TOKEN_NAMES)[number]

/** The names of parameters after other separators than `&`. */
const HIDDEN_NAMES = /[;?#]([^=;?#]*)/g

/** A name was percent-encoded at most this often. Software in between may decode it once more. */
const DECODINGS_MAX = 3

/** The tokens in a query or a form. `count` includes those under a misspelled name, which have no value here. */
type Found = { values: string[]; count: number }
export type CutText = { rest: string; tokens: Record<TokenName, Found> }

/**
 * A request to `/graph`. `query` and `form` have the tokens that were cut from them, and `token` is the one that
 * authenticated the request.
 */
export type GraphRequest = { query: CutText['tokens']; form?: CutText['tokens']; token?: string }

/** Only the first line is known of a request that could not be parsed. */
type AddressedRequest = IncomingMessage | { url: string }

/** Kept beside the request, so that nothing that prints a request prints its tokens. */
const requests = new WeakMap<AddressedRequest, GraphRequest>()

export function findGraphRequest(request: IncomingMessage): GraphRequest | undefined {
  return requests.get(request)
}

export function isGraphRequest(request: AddressedRequest): boolean {
  return requests.has(request)
}

/**
 * Recognizes a request to `/graph` and cuts the tokens from its address. This runs before the router and before every
 * hook, so that no request id, log line, span or error is made of the address as it was sent.
 */
export function prepareGraphRequest(request: AddressedRequest): void {
  const url = request.url ?? ''
  if (!isGraphUrl(url)) return
  const start = url.search(/[?#]/)
  const { rest, tokens } = cutTokens(start < 0 ? '' : url.slice(start + 1), { isAddress: true })
  if (start >= 0) request.url = rest === '' ? url.slice(0, start) : `${url.slice(0, start + 1)}${rest}`
  requests.set(request, { query: tokens })
}

/** Also in spellings that the router may take for it: escaped, in the absolute form, or in another case. */
function isGraphUrl(url: string): boolean {
  const [path = ''] = url.replace(/^https?:\/\/.*?(?=\/)/i, '').split(/[?#]/, 1)
  return /^\/+graph(?![\w-])/i.test(decodeRepeatedly(path))
}

/**
 * Cuts the tokens from the text of a query or a form, and leaves its other bytes as they are. In an address, some software
 * separates parameters by other characters too: from such a token on, the parameter that it is in is cut.
 */
export function cutTokens(text: string, { isAddress = false } = {}): CutText {
  const tokens: CutText['tokens'] = {
    access_token: { values: [], count: 0 },
    input_token: { values: [], count: 0 },
  }
  const rest = text.split('&').flatMap((piece) => {
    const name = findTokenName(readName(piece))
    if (name) {
      tokens[name].count++
      const [[exact, value] = ['', '']] = new URLSearchParams(piece)
      if (exact === name) tokens[name].values.push(value)
      return []
    }
    const [end] = [...(isAddress ? piece.matchAll(HIDDEN_NAMES) : [])].flatMap(({ index, 1: hiddenName = '' }) => {
      const hidden = findTokenName(hiddenName)
      if (hidden) tokens[hidden].count++
      return hidden ? [index] : []
    })
    return [piece.slice(0, end)]
  })
  return { rest: rest.join('&'), tokens }
}

function readName(piece: string): string {
  return piece.split('=', 1)[0] ?? ''
}

/** The token that a parameter of this name may hold for some software: `ACCESS_TOKEN`, `access%255Ftoken[]`. */
function findTokenName(name: string): TokenName | undefined {
  const [plain = ''] = decodeRepeatedly(name.replaceAll('+', ' ')).trim().toLowerCase().split('[')
  const spelled = plain.replace(/[\s.-]/g, '_')
  return TOKEN_NAMES.find((known) => known === spelled)
}

/** Decodes the escapes of ASCII characters, and never fails: a name that matters has no others. */
function decodeRepeatedly(text: string): string {
  let decoded = text
  for (let i = 0; i < DECODINGS_MAX && decoded.includes('%'); i++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return decoded
}
