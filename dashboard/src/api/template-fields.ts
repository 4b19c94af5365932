import type { MessageTemplate, Template, TemplateParameter } from '@hubline/sdk/console'

type Component = {
  type: string
  format?: string
  text?: string
  buttons?: { type: string; text?: string; url?: string }[]
}
export type KnownTemplate = Template & { name: string; language: string; components: Component[] }

/** A field to fill in before the template can be sent. */
export type TemplateField = {
  id: string
  place: 'header' | 'body' | 'button'
  kind: 'text' | 'image' | 'video' | 'document' | 'url' | 'copy_code'
  /** `1`, or the name of a named variable; the position of a button. */
  name: string
}

const VARIABLE = /\{\{\s*([\w]+)\s*\}\}/g
const MEDIA = ['IMAGE', 'VIDEO', 'DOCUMENT']

/** The one-time code of an authentication template. */
const CODE: TemplateField = { id: 'body-1', place: 'body', kind: 'text', name: '1' }

export function isMarketing({ category }: KnownTemplate): boolean {
  return category?.toUpperCase() === 'MARKETING'
}

function isAuthentication({ category }: KnownTemplate): boolean {
  return category?.toUpperCase() === 'AUTHENTICATION'
}

export function isSendable(template: Template): template is KnownTemplate {
  const { name, language, status, components } = template as Partial<KnownTemplate>
  return typeof name === 'string' && typeof language === 'string' && status === 'APPROVED' && Array.isArray(components)
}

function listVariables(text = ''): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name]) => name ?? ''))]
}

export function findComponent(template: KnownTemplate, type: string): Component | undefined {
  return template.components.find((component) => component.type.toUpperCase() === type)
}

export function listFields(template: KnownTemplate): TemplateField[] {
  if (isAuthentication(template)) return [CODE]
  const header = findComponent(template, 'HEADER')
  const format = header?.format?.toUpperCase() ?? 'TEXT'
  const buttons = findComponent(template, 'BUTTONS')?.buttons ?? []
  return [
    ...(MEDIA.includes(format) && header
      ? [{ id: 'header', place: 'header' as const, kind: format.toLowerCase() as 'image', name: format.toLowerCase() }]
      : toTextFields('header', header?.text)),
    ...toTextFields('body', findComponent(template, 'BODY')?.text),
    ...buttons.flatMap(({ type, url }, index): TemplateField[] => {
      const kind = type === 'COPY_CODE' ? 'copy_code' : listVariables(url).length > 0 ? 'url' : undefined
      return kind ? [{ id: `button-${index}`, place: 'button', kind, name: String(index) }] : []
    }),
  ]
}

function toTextFields(place: 'header' | 'body', text: string | undefined): TemplateField[] {
  return listVariables(text).map((name) => ({ id: `${place}-${name}`, place, kind: 'text', name }))
}

type Values = Record<string, string>

/** The text of a place as the person will read it; what is not filled in yet stays visible. */
export function fillText(text: string, place: 'header' | 'body', values: Values): string {
  return text.replace(VARIABLE, (whole, name: string) => values[`${place}-${name}`] || whole)
}

export function toMessageTemplate(template: KnownTemplate, values: Values): MessageTemplate {
  if (isAuthentication(template)) return toCodeMessage(template, values[CODE.id] ?? '')
  const fields = listFields(template)
  const components = [
    ...toComponent('header', fields, values),
    ...toComponent('body', fields, values),
    ...fields.filter(({ place }) => place === 'button').map((field) => toButton(field, values)),
  ]
  return {
    name: template.name,
    language: { code: template.language },
    ...(components.length > 0 && { components }),
  }
}

/** Meta fills the code into the text and into the button, which has no variable that the template shows. */
function toCodeMessage({ name, language }: KnownTemplate, code: string): MessageTemplate {
  const parameters: TemplateParameter[] = [{ type: 'text', text: code }]
  return {
    name,
    language: { code: language },
    components: [
      { type: 'body', parameters },
      { type: 'button', sub_type: 'url', index: 0, parameters },
    ],
  }
}

function toComponent(type: 'header' | 'body', fields: readonly TemplateField[], values: Values) {
  const parameters = fields.filter(({ place }) => place === type).map((field) => toParameter(field, values))
  return parameters.length === 0 ? [] : [{ type, parameters }]
}

function toParameter({ id, kind, name }: TemplateField, values: Values): TemplateParameter {
  const value = values[id] ?? ''
  if (kind === 'image') return { type: 'image', image: { link: value } }
  if (kind === 'video') return { type: 'video', video: { link: value } }
  if (kind === 'document') return { type: 'document', document: { link: value } }
  return { type: 'text', text: value, ...(!/^\d+$/.test(name) && { parameter_name: name }) }
}

function toButton({ id, kind, name }: TemplateField, values: Values) {
  const value = values[id] ?? ''
  const parameter: TemplateParameter =
    kind === 'copy_code' ? { type: 'coupon_code', coupon_code: value } : { type: 'text', text: value }
  return { type: 'button' as const, sub_type: kind, index: Number(name), parameters: [parameter] }
}
