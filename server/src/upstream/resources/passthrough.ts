import { parseExact } from '../../kernel/json/exact.ts'
import { isObject, type JsonObject } from '../../kernel/json/values.ts'
import { type Call, SECRET_LENGTH_MIN } from '../http/call.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'

/** A successful response to forward to a client, without the hub's secrets. */
export type PassthroughResponse = {
  /** The response as the upstream wrote it. */
  text: string
  /** For reading: ids of any length are strings. */
  body: JsonObject
  /** For changing and serializing again: every number keeps its digits. */
  exact: JsonObject
}

export type PassthroughCall = Pick<
  Call<unknown>,
  'name' | 'method' | 'query' | 'json' | 'fields' | 'responseBytesMax'
> & {
  to: string[]
}

/** Calls whose responses the hub forwards without interpreting them. */
export function createPassthrough({ call }: UpstreamClient, { appSecret }: { appSecret: string }) {
  return {
    call: (token: string, passthrough: PassthroughCall): Promise<Result<PassthroughResponse>> =>
      call({ ...passthrough, token, read: createPassthroughReader([token, appSecret]) }),
  }
}

/** Reads a response object and redacts secrets: the upstream puts the caller's token into paging URLs. */
export function createPassthroughReader(
  secrets: string[],
): (body: unknown, text: string) => PassthroughResponse | undefined {
  const forms = secrets.filter(isSecret).flatMap((secret) => [secret, encodeURIComponent(secret)])
  return (body, text) => {
    let isRedacted = false
    const redact = (value: string) => {
      if (!forms.some((form) => value.includes(form))) return value
      isRedacted = true
      return forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), value)
    }
    if (!isObject(body)) return undefined
    const exact = parseExactObject(text, redact)
    if (exact === undefined) return undefined
    // Member names, and all but the last of duplicate members, occur only in the text.
    return { text: redact(isRedacted ? JSON.stringify(exact) : text), body, exact }
  }
}

/** Undefined if the response is nested so deeply that parsing exhausts the stack. */
function parseExactObject(text: string, redact: (value: string) => string): JsonObject | undefined {
  try {
    return parseExact(text, redact) as JsonObject
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

function isSecret(text: string): boolean {
  return text.length >= SECRET_LENGTH_MIN
}
