import type { JsonObject } from '../../json.ts'

/** A refusal with the fields of Stripe's error object. */
export class PaymentError extends Error {
  readonly status: number
  readonly fields: JsonObject
  /** The endpoint did not run, so the response is not saved under the Idempotency-Key. */
  readonly isEarly: boolean

  constructor(status: number, fields: JsonObject & { message: string; type: string }, isEarly = false) {
    super(fields.message)
    this.status = status
    this.fields = fields
    this.isEarly = isEarly
  }
}

interface Details {
  param?: string
  code?: string
  status?: number
}

export function invalidRequest(message: string, { param, code, status = 400 }: Details = {}): PaymentError {
  return new PaymentError(status, { message, type: 'invalid_request_error', param, code })
}

export function invalidParam(message: string, param: string, code?: string): PaymentError {
  return new PaymentError(400, { message, type: 'invalid_request_error', param, code }, true)
}

/** A missing object is 404 if the path names it, and 400 if a parameter does. */
export function missingObject(kind: string, id: string, param?: string): PaymentError {
  const status = param === undefined ? 404 : 400
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param: param ?? 'id', status })
}

/** Refuses the request before its endpoint runs. */
export function earlyError(status: number, message: string, type: string, code?: string): PaymentError {
  return new PaymentError(status, { message, type, code }, true)
}
