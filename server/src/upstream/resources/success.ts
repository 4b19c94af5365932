import { isObject } from '../json.ts'

export type Success = { success: true }

/** The answer of every call that only does something. */
export function readSuccess(body: unknown): Success | undefined {
  return isObject(body) && body.success === true ? { success: true } : undefined
}
