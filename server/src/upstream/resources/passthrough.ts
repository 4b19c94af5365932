import { parseExact } from '../../kernel/exact-json.ts'
import { type Call, SECRET_LENGTH_MIN } from '../http/call.ts'
import type { Client } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { isObject, type JsonObject } from '../json.ts'

/** A good answer to hand on to somebody else. No secret of ours stands in it. */
export type Passed = {
  /** As the upstream wrote it. */
  text: string
  /** To look into: ids of any length are texts. */
  body: JsonObject
  /** To change and to write again: every number is as it was written. */
  exact: JsonObject
}

export type Question = Pick<Call<unknown>, 'name' | 'method' | 'query' | 'json' | 'answerBytesMax'> & { to: string[] }

/** Calls whose answer nobody here interprets. */
export function createPassage({ call }: Client, { appSecret }: { appSecret: string }) {
  return {
    ask: (token: string, question: Question): Promise<Result<Passed>> =>
      call({ ...question, token, read: passing([token, appSecret]) }),
  }
}

/** Reads an answer that is an object. The upstream prints the caller's token into the addresses of further pages. */
export function passing(secrets: string[]): (body: unknown, text: string) => Passed | undefined {
  const forms = secrets.filter(isSecret).flatMap((secret) => [secret, encodeURIComponent(secret)])
  return (body, text) => {
    let isBlotted = false
    const blot = (value: string) => {
      if (!forms.some((form) => value.includes(form))) return value
      isBlotted = true
      return forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), value)
    }
    if (!isObject(body)) return undefined
    const exact = exactly(text, blot)
    if (exact === undefined) return undefined
    // Names of members, and all but the last of two members, are in the text alone.
    return { text: blot(isBlotted ? JSON.stringify(exact) : text), body, exact }
  }
}

/** Undefined where the answer is nested so deep that walking over it exhausts the stack: that is no answer to hand on. */
function exactly(text: string, blot: (value: string) => string): JsonObject | undefined {
  try {
    return parseExact(text, blot) as JsonObject
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

function isSecret(text: string): boolean {
  return text.length >= SECRET_LENGTH_MIN
}
