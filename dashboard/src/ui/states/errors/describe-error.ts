import type { Language } from '@hubline/locales/languages.ts'
import { HubError } from '@hubline/sdk'
import { findText, type Parameters } from '../../../lib/hub-texts/fill.ts'
import type { HubTexts } from '../../../lib/hub-texts/hub-texts.ts'

/** Reasons whose sentence is for programs: a person reads the text of the code first. */
const FOR_PROGRAMS: ReadonlySet<string | null> = new Set([
  'body_invalid',
  'query_invalid',
  'path_invalid',
  'headers_invalid',
  'request_invalid',
  'credential_missing',
  'credential_malformed',
  'credential_invalid',
  'session_required',
  'origin_not_allowed',
  'path_not_found',
  'key_of_another_message',
  'key_of_another_request',
  'send_in_progress',
  'request_in_progress',
  'send_result_unknown',
  'headers_too_large',
  'json_required',
])

/** Codes for which the text of the code says enough: what the programs' sentence adds is of no use to a person. */
const SAY_ENOUGH: readonly string[] = ['UNAUTHORIZED', 'ORIGIN_NOT_ALLOWED', 'SEND_RESULT_UNKNOWN']

type Issue = { path: string; message: string; reason?: string; parameters?: Parameters }
type Described = Pick<HubError, 'code' | 'message' | 'reason' | 'parameters' | 'details'>
type Reader = {
  /** Undefined while they load. */
  texts: HubTexts | undefined
  language: Language
  /** The name of a role in the reader's language. */
  nameRole?: (role: string) => string
}

/** `reason` is what else is known of the cause. */
export type ErrorDescription = { message: string; reason: string | undefined }

/** A failure in the reader's language, by its reason. One that is not known here has the hub's own words. */
export function describeHubError(error: Described, reader: Reader): ErrorDescription {
  const { code, message, reason, details } = error
  const sentence = translateReason(error, reader)
  const ofCode = reader.texts?.codes[code]
  if (sentence !== undefined && !FOR_PROGRAMS.has(reason)) {
    const explanation = readUpstream(details)
    const isNew = explanation !== undefined && !sentence.includes(explanation)
    return { message: sentence, reason: isNew ? explanation : undefined }
  }
  if (ofCode === undefined) return { message: sentence ?? message, reason: undefined }
  const cause = SAY_ENOUGH.includes(code) && sentence !== undefined ? undefined : (sentence ?? message)
  return { message: ofCode, reason: cause === ofCode ? undefined : cause }
}

function translateReason({ code, reason, parameters, details }: Described, reader: Reader): string | undefined {
  const { texts, language, nameRole = (role) => role } = reader
  if (texts === undefined || reason === null) return undefined
  const [issue] = readIssues(details)
  const named = Object.entries(parameters).map(([name, value]) => {
    if (name === 'role' || name === 'own_role') return [name, nameRole(String(value))]
    return name === 'problem' && issue ? [name, describeIssue(issue, texts, language)] : [name, value]
  })
  return findText(texts.errors[code] ?? {}, reason, Object.fromEntries(named), language)
}

function describeIssue({ reason = '', parameters = {}, message }: Issue, texts: HubTexts, language: Language): string {
  return findText(texts.issues, reason, parameters, language) ?? message
}

/** Describes the error of a field of the request body, if the hub has refused it. */
export function describeFieldError(error: unknown, field: string, { texts, language }: Reader): string | undefined {
  if (!(error instanceof HubError)) return undefined
  const issue = readIssues(error.details).find(({ path }) => path === `/${field}`)
  if (issue === undefined || texts === undefined) return issue?.message
  const { reason = '', parameters = {} } = issue
  return findText(texts.fields, reason, parameters, language) ?? toSentence(describeIssue(issue, texts, language))
}

function readIssues(details: unknown): Issue[] {
  return ((details ?? {}) as { issues?: Issue[] }).issues ?? []
}

/** WhatsApp's own explanation, which is in English. */
function readUpstream(given: unknown): string | undefined {
  const { details, title } = (given ?? {}) as { details?: string | null; title?: string | null }
  return details ?? title ?? undefined
}

function toSentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}
