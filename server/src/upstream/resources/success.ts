import { isObject } from '../../kernel/json/values.ts'

export type Success = { success: true }

/** Reads the response of calls that return no data. */
export function readSuccess(body: unknown): Success | undefined {
  return isObject(body) && body.success === true ? { success: true } : undefined
}
