import { asList, asObject, asText, type JsonObject } from '../../json.ts'
import { type GraphError, refusal } from '../http/errors.ts'
import { checkMedia, type DeliveryFailure, type MessageContext } from '../messages/media-object.ts'
import type { Template } from '../model.ts'
import { findComponent, listVariables } from './template-text.ts'

const LOCALIZABLE = ['text', 'currency', 'date_time']
const MEDIA_FORMATS: Readonly<Record<string, 'image' | 'video' | 'document'>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  GIF: 'video',
  DOCUMENT: 'document',
}

/** Checks the parameters of a send against the template: first their number, then their format. */
export function checkTemplateParameters(template: Template, components: JsonObject[], context: MessageContext) {
  const sent = (type: string) => components.find((component) => asText(component.type).toLowerCase() === type)
  const header = findComponent(template.components, 'HEADER')
  const body = findComponent(template.components, 'BODY')
  const isMediaHeader = header !== undefined && asText(header.format).toUpperCase() in MEDIA_FORMATS

  countParameters('body', template, listExpected(template, body), sent('body'))
  if (!isMediaHeader) countParameters('header', template, listExpected(template, header), sent('header'))
  checkButtons(template, components)
  for (const component of [sent('body'), isMediaHeader ? undefined : sent('header')]) checkForms(component)
  checkLength(body, sent('body'))
  return isMediaHeader ? checkMediaHeader(header, sent('header'), context) : undefined
}

/** The platform writes the body of an authentication template, with the code as its one variable. */
function listExpected(template: Template, component: JsonObject | undefined): string[] {
  if (template.category === 'AUTHENTICATION' && component?.text === undefined && component?.type === 'BODY')
    return ['1']
  return listVariables(asText(component?.text))
}

function countParameters(where: string, template: Template, expected: string[], sent: JsonObject | undefined): void {
  const parameters = asList(sent?.parameters).map(asObject)
  const isFormless = (parameter: JsonObject) => asText(parameter.parameter_name) === ''
  if (template.parameterFormat === 'NAMED' && parameters.some(isFormless)) {
    throw invalidParameter('Parameter name is missing or empty')
  }
  const names = parameters.map((parameter) => asText(parameter.parameter_name))
  const missing = template.parameterFormat === 'NAMED' && expected.some((name) => !names.includes(name))
  if (parameters.length === expected.length && !missing) return
  throw refusal(
    132000,
    `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected.length})`,
  )
}

function checkForms(sent: JsonObject | undefined): void {
  const where = asText(sent?.type).toLowerCase()
  for (const parameter of asList(sent?.parameters).map(asObject)) {
    const type = asText(parameter.type)
    if (!LOCALIZABLE.includes(type) || parameter[type] === undefined || parameter[type] === '') {
      throw refusal(132012, `${where}: Format mismatch, expected TEXT, received ${type.toUpperCase() || 'UNKNOWN'}`)
    }
    if (type === 'text' && /[\n\t]| {5,}/.test(asText(parameter.text))) {
      throw invalidParameter('Param text cannot have new-line/tab characters or more than 4 consecutive spaces')
    }
  }
}

function checkLength(body: JsonObject | undefined, sent: JsonObject | undefined): void {
  const values = asList(sent?.parameters).map((parameter) => asText(asObject(parameter).text))
  const length = asText(body?.text).replace(/\{\{[^}]*\}\}/g, '').length + values.join('').length
  if (length > 1_024) throw refusal(132005, `body: translated text is ${length} characters long, the limit is 1024`)
}

function checkMediaHeader(
  header: JsonObject,
  sent: JsonObject | undefined,
  context: MessageContext,
): DeliveryFailure | undefined {
  const format = asText(header.format).toUpperCase()
  const kind = MEDIA_FORMATS[format] ?? 'image'
  const [parameter] = asList(sent?.parameters).map(asObject)
  if (parameter?.type !== kind) {
    const received = asText(parameter?.type).toUpperCase() || 'UNKNOWN'
    throw refusal(132012, `header: Format mismatch, expected ${format}, received ${received}`)
  }
  const extraKeys = kind === 'document' ? ['filename'] : []
  return checkMedia(parameter, kind, extraKeys, context, "template['components'][0]['parameters'][0]")
}

/** Only buttons with a variable need a parameter; a quick reply may have a payload. */
function checkButtons(template: Template, components: JsonObject[]): void {
  const buttons = asList(findComponent(template.components, 'BUTTONS')?.buttons).map(asObject)
  const sent = components.filter((component) => asText(component.type).toLowerCase() === 'button')
  for (const component of sent) {
    if (buttons[Number(asText(component.index))] === undefined) {
      throw refusal(132018, `buttons: There is no button at index ${asText(component.index) || 'unknown'}`)
    }
  }
  buttons.forEach((button, index) => {
    const type = asText(button.type).toUpperCase()
    const needsValue = (type === 'URL' && /\{\{/.test(asText(button.url))) || type === 'COPY_CODE' || type === 'OTP'
    const own = sent.find((component) => asText(component.index) === String(index))
    if (needsValue && asList(own?.parameters).length === 0) {
      throw refusal(131008, `buttons: Button at index ${index} of type ${titled(type)} requires a parameter`)
    }
  })
}

function titled(type: string): string {
  return type.charAt(0) + type.slice(1).toLowerCase()
}

function invalidParameter(details: string): GraphError {
  return refusal(100, details)
}
