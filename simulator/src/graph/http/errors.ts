import type { JsonObject } from '../../json.ts'
import { ERROR_TABLE } from './error-table.ts'

const GRAPH_DOCS = 'https://developers.facebook.com/docs/graph-api'
const ERROR_DOCS = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/'

/** An error response, with the members of its error object. */
export class GraphError extends Error {
  readonly status: number
  readonly members: JsonObject
  /** Members of the response beside the error object. */
  readonly beside: JsonObject

  constructor(status: number, members: JsonObject & { message: string }, beside: JsonObject = {}) {
    super(members.message)
    this.status = status
    this.beside = beside
    const { message, ...rest } = members
    this.members = { message, type: 'OAuthException', ...rest }
  }
}

export function getErrorTitle(code: number): string {
  return ERROR_TABLE[code]?.title ?? 'Something went wrong'
}

/** An error of the code table. `details` goes to `error_data`. */
export function refusal(code: number, details?: string): GraphError {
  return new GraphError(ERROR_TABLE[code]?.status ?? 400, {
    message: `(#${code}) ${getErrorTitle(code)}`,
    code,
    ...(code === 2 ? { is_transient: true } : {}),
    ...(details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
  })
}

/** The error object of a status or message webhook. */
export function webhookError(code: number, details: string): JsonObject {
  const title = getErrorTitle(code)
  return { code, title, message: title, error_data: { details }, href: ERROR_DOCS }
}

/** The older form, in which `details` is a member of the error. */
export function olderWebhookError(code: number, details: string): JsonObject {
  return { code, title: getErrorTitle(code), details, href: ERROR_DOCS }
}

/** The same error for an object that does not exist and for one that the token may not read. */
export function missingObject(method: string, id: string): GraphError {
  return new GraphError(400, {
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at ${GRAPH_DOCS}`,
    type: 'GraphMethodException',
    code: 100,
    error_subcode: 33,
  })
}

export function invalid(sentence: string, subcode?: number): GraphError {
  return new GraphError(400, { message: `(#100) ${sentence}`, code: 100, error_subcode: subcode })
}

/** Some errors of code 100 have no "(#100)" at the start of their message. */
export function plainInvalid(message: string, subcode?: number): GraphError {
  return new GraphError(400, { message, code: 100, error_subcode: subcode })
}

export function required(parameter: string): GraphError {
  return invalid(`The parameter ${parameter} is required.`)
}

export function invalidToken(message: string, subcode?: number): GraphError {
  return new GraphError(401, { message, code: 190, error_subcode: subcode })
}

/** Errors of template management have a title and a message for the template's author. */
export function templateRefusal(subcode: number, title: string, explanation: string): GraphError {
  return new GraphError(400, {
    message: 'Invalid parameter',
    code: 100,
    error_subcode: subcode,
    is_transient: false,
    error_user_title: title,
    error_user_msg: explanation,
  })
}
