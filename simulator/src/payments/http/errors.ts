import type { JsonObject } from '../../json.ts'

const DOCS = 'https://docs.stripe.com/error-codes'

/** A refusal, carrying the members of the error object that the provider would print. */
export class PaymentError extends Error {
  readonly status: number
  readonly members: JsonObject
  /** A refusal before the endpoint began is not remembered under the idempotency key. */
  readonly isEarly: boolean

  constructor(status: number, members: JsonObject & { message: string; type: string }, isEarly = false) {
    super(members.message)
    this.status = status
    this.isEarly = isEarly
    const { code } = members
    const page = typeof code === 'string' ? { doc_url: `${DOCS}/${code.replaceAll('_', '-')}` } : {}
    this.members = { ...page, ...members }
  }
}

interface Where {
  param?: string
  code?: string
  status?: number
}

export function invalid(message: string, { param, code, status = 400 }: Where = {}): PaymentError {
  return new PaymentError(status, { message, type: 'invalid_request_error', param, code })
}

/** What is wrong with the parameters themselves is found before the endpoint begins. */
export function malformed(message: string, param: string, code?: string): PaymentError {
  return new PaymentError(400, { message, type: 'invalid_request_error', param, code }, true)
}

/** Absent objects are 404 where the path names them, and 400 where a parameter does. */
export function missing(kind: string, id: string, param?: string): PaymentError {
  const code = 'resource_missing'
  return invalid(`No such ${kind}: '${id}'`, { code, param: param ?? 'id', status: param === undefined ? 404 : 400 })
}

export function early(status: number, members: JsonObject & { message: string; type: string }): PaymentError {
  return new PaymentError(status, members, true)
}
