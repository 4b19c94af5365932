import { isObject, type JsonObject, toText } from '../../../kernel/json/values.ts'

export const UNSENDABLE_STATUSES = ['PAUSED', 'DISABLED', 'REJECTED'] as const
export type UnsendableStatus = (typeof UNSENDABLE_STATUSES)[number]

/** Both say that the template can be sent. Other statuses say nothing of it. */
const SENDABLE_STATUSES = ['APPROVED', 'REINSTATED']

/** The upstream pauses a template for these times, the first and the second time. */
const PAUSE_HOURS: Record<string, number> = { FIRST_PAUSE: 3, SECOND_PAUSE: 6 }
/** After this a report is forgotten: the hub may have missed that the template was approved again. */
const HOURS = 24

/** The upstream's codes of a refused send, by what they say of the template. */
const REFUSAL_STATUSES: Record<number, UnsendableStatus> = { 132015: 'PAUSED', 132016: 'DISABLED' }

/** The upstream's names and languages are shorter: longer texts, and those with NUL, the database could not store. */
const NAME = /^[\w.-]{1,512}$/
const LANGUAGE = /^[\w-]{1,32}$/

export type TemplateName = { name: string; language: string }

/**
 * The upstream's report of a template: a status with which it cannot be sent, or null if it can. `isFromCallback` is true for a
 * report that came unasked, which may overtake others.
 */
export type TemplateReport = TemplateName & {
  status: UnsendableStatus | null
  hours: number
  isTimed: boolean
  isFromCallback: boolean
}

/** The report of a callback; undefined if it says nothing of sending. */
export function readCallbackReport(field: string, value: unknown): TemplateReport | undefined {
  if (field !== 'message_template_status_update' || !isObject(value)) return undefined
  const pause = isObject(value.other_info) ? (toText(value.other_info.title) ?? '') : ''
  const hours = Object.hasOwn(PAUSE_HOURS, pause) ? PAUSE_HOURS[pause] : undefined
  const [name, language] = [value.message_template_name, value.message_template_language]
  const report = toReport({ name, language, status: value.event })
  if (report?.status !== 'PAUSED' || hours === undefined) return report && { ...report, isFromCallback: true }
  return { ...report, hours, isTimed: true, isFromCallback: true }
}

/** The report of a template in a listing. */
export function toReport({ name, language, status }: JsonObject): TemplateReport | undefined {
  if (typeof name !== 'string' || typeof language !== 'string' || typeof status !== 'string') return undefined
  if (!isSendableName({ name, language })) return undefined
  const common = { name, language, hours: HOURS, isTimed: false, isFromCallback: false }
  if (SENDABLE_STATUSES.includes(status)) return { ...common, status: null }
  const unsendable = UNSENDABLE_STATUSES.find((known) => known === status)
  return unsendable && { ...common, status: unsendable }
}

/** The report of a send that the upstream refused. */
export function toRefusalReport(template: TemplateName, code: number | null): TemplateReport | undefined {
  const status = code === null ? undefined : REFUSAL_STATUSES[code]
  return status && { ...template, status, hours: HOURS, isTimed: false, isFromCallback: false }
}

/** The template that a message sends; undefined if it sends none. */
export function readTemplateName(type: string, content: unknown): TemplateName | undefined {
  if (type !== 'template' || !isObject(content) || !isObject(content.language)) return undefined
  const [name, language] = [toText(content.name), toText(content.language.code)]
  if (name === null || language === null || !isSendableName({ name, language })) return undefined
  return { name, language }
}

/** There is nothing to remember about a template with any other name: no message can have it. */
function isSendableName({ name, language }: TemplateName): boolean {
  return NAME.test(name) && LANGUAGE.test(language)
}
