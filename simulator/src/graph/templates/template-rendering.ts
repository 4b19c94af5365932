import { asList, asObject, asText, type JsonObject } from '../../json.ts'
import type { Template } from '../model.ts'
import { findComponent } from './template-text.ts'

/** Renders a template as the customer sees it: its texts with the parameters of the send, and its buttons. */
export function renderTemplate(template: Template | undefined, sent: JsonObject): JsonObject {
  if (!template) return { text: asText(sent.name) }
  const components = asList(sent.components).map(asObject)
  const fill = (type: string) => {
    const text = asText(findComponent(template.components, type)?.text)
    return fillVariables(text, asList(findComponent(components, type)?.parameters).map(asObject)) || null
  }
  const body = findComponent(components, 'BODY')
  return {
    header: fill('HEADER'),
    // The platform writes the text of an authentication template around the code.
    text: fill('BODY') ?? readParameter(asObject(asList(body?.parameters)[0])),
    footer: fill('FOOTER'),
    buttons: asList(findComponent(template.components, 'BUTTONS')?.buttons).map(toButton),
    media: findMedia(asObject(asList(findComponent(components, 'HEADER')?.parameters)[0])),
  }
}

function fillVariables(text: string, parameters: JsonObject[]): string {
  return text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) => {
    const named = parameters.find((parameter) => parameter.parameter_name === name)
    const parameter = named ?? parameters[Number(name) - 1]
    return parameter ? readParameter(parameter) : whole
  })
}

function readParameter(parameter: JsonObject): string {
  const value = parameter[asText(parameter.type)]
  return asText(value) || asText(asObject(value).fallback_value)
}

function findMedia(parameter: JsonObject): JsonObject | null {
  const type = asText(parameter.type)
  if (!['image', 'video', 'document'].includes(type)) return null
  const { id, link, filename } = asObject(parameter[type])
  return { id: id ?? null, link: link ?? null, mime_type: null, filename: filename ?? null }
}

/** A quick reply is chosen by its position. */
function toButton(button: unknown, index: number): JsonObject {
  const { type, text, url } = asObject(button as JsonObject)
  const isReply = asText(type).toUpperCase() === 'QUICK_REPLY'
  const kind = isReply ? 'reply' : asText(type).toLowerCase()
  return { type: kind, id: isReply ? String(index) : null, title: asText(text), url: url ?? null }
}
