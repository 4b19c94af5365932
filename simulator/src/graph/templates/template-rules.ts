import { asList, asObject, asText, type JsonObject } from '../../json.ts'
import { templateRefusal } from '../http/errors.ts'
import { checkTemplateButtons } from './template-buttons.ts'
import { findComponent, listVariables } from './template-text.ts'

const LENGTHS = { HEADER: 60, BODY: 1_024, FOOTER: 60 }
const MEDIA_FORMATS: Readonly<Record<string, (type: string) => boolean>> = {
  IMAGE: (type) => type.startsWith('image/'),
  VIDEO: (type) => type === 'video/mp4',
  GIF: (type) => type === 'video/mp4',
  DOCUMENT: (type) => type === 'application/pdf',
}

export interface TemplateDraft {
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: JsonObject[]
}

/** Refuses templates that the platform does not accept for review. `handles` has the type of each uploaded sample. */
export function checkTemplate(draft: TemplateDraft, handles: ReadonlyMap<string, string>): void {
  const { components } = draft
  const body = findComponent(components, 'BODY')
  if (!body) throw templateRefusal(2388072, 'Body is missing', 'A message template needs a body.')
  if (draft.category !== 'AUTHENTICATION') checkBody(draft, body)
  const header = findComponent(components, 'HEADER')
  if (header) checkHeader(draft, header, handles)
  const footer = findComponent(components, 'FOOTER')
  if (footer && draft.category !== 'AUTHENTICATION') checkFooter(footer)
  const buttons = findComponent(components, 'BUTTONS')
  if (buttons) checkTemplateButtons(buttons)
  if (draft.category === 'AUTHENTICATION' && !asList(buttons?.buttons).some(isOtp)) {
    throw templateRefusal(2388060, 'Button is missing', 'An authentication template needs a one-time password button.')
  }
}

function checkBody(draft: TemplateDraft, body: JsonObject): void {
  const text = asText(body.text)
  if (text === '') throw templateRefusal(2388072, 'Body is empty', 'The body needs a text.')
  checkLength('BODY', text)
  const variables = checkVariables(draft, text, 2388072)
  if (/^\s*\{\{/.test(text) || /\}\}\s*$/.test(text)) {
    throw templateRefusal(
      2388299,
      "Variables can't be at the start or end of the template",
      'This template has variables at the start or end of its body.',
    )
  }
  const words = text.replace(/\{\{[^}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length < variables.length) {
    throw templateRefusal(
      2388293,
      'Too many variables for the length',
      'This template has too many variables for its length. Use fewer variables or more words.',
    )
  }
  const isExampled = asObject(body.example).body_text ?? asObject(body.example).body_text_named_params
  if (variables.length > 0 && isExampled === undefined) throw missingExample('BODY')
}

function checkHeader(draft: TemplateDraft, header: JsonObject, handles: ReadonlyMap<string, string>): void {
  const format = asText(header.format).toUpperCase()
  const example = asObject(header.example)
  if (format === 'LOCATION') return
  if (format === 'TEXT') {
    const text = asText(header.text)
    checkLength('HEADER', text)
    const variables = checkVariables(draft, text, 2388047)
    if (text === '' || variables.length > 1 || /\n/.test(text))
      throw headerRefusal('A header has one line and one variable.')
    if (variables.length === 1 && (example.header_text ?? example.header_text_named_params) === undefined) {
      throw missingExample('HEADER')
    }
    return
  }
  const isRightType = MEDIA_FORMATS[format]
  if (!isRightType) throw headerRefusal(`The header format ${format || 'none'} does not exist.`)
  const [handle] = asList(example.header_handle)
  if (handle === undefined) throw missingExample('HEADER')
  const type = handles.get(asText(handle))
  if (type === undefined || !isRightType(type))
    throw headerRefusal('The sample is not an uploaded file of the right type.')
}

function checkFooter(footer: JsonObject): void {
  const text = asText(footer.text)
  checkLength('FOOTER', text)
  if (text !== '' && !text.includes('{{')) return
  throw templateRefusal(2388073, 'Footer format is incorrect', 'A footer has a text without variables.')
}

/** Variables are numbered from 1 or named, and never adjacent. */
function checkVariables(draft: TemplateDraft, text: string, subcode: number): string[] {
  const variables = listVariables(text)
  const isSequential = variables.every((variable, index) => variable === String(index + 1))
  const isNamed = variables.every((variable) => /^[a-z][a-z0-9_]*$/.test(variable))
  const isWellFormed = draft.parameterFormat === 'NAMED' ? isNamed : isSequential
  const braces = text.replace(/\{\{\s*[^{}\s]+\s*\}\}/g, '')
  if (isWellFormed && !/\}\}\s*\{\{/.test(text) && !/\{\{|\}\}/.test(braces)) return variables
  throw templateRefusal(
    subcode,
    'Variables are incorrect',
    `Variables must be ${draft.parameterFormat === 'NAMED' ? 'lower-case names' : '{{1}}, {{2}}, …'} and not adjacent.`,
  )
}

function checkLength(component: keyof typeof LENGTHS, text: string): void {
  if (text.length <= LENGTHS[component]) return
  const limit = LENGTHS[component]
  throw templateRefusal(2388040, 'Character limit exceeded', `The ${component} has more than ${limit} characters.`)
}

function missingExample(component: string) {
  const explanation = `Component of type ${component} is missing expected field(s) (example)`
  return templateRefusal(2388043, 'Message template "components" param is missing expected field(s)', explanation)
}

function headerRefusal(explanation: string) {
  return templateRefusal(2388047, 'Header format is incorrect', explanation)
}

function isOtp(button: unknown): boolean {
  return (
    typeof button === 'object' && button !== null && 'type' in button && String(button.type).toUpperCase() === 'OTP'
  )
}
