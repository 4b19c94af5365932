import { asText, type Json, type JsonObject } from '../../json.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { invalid, missingObject } from '../http/errors.ts'
import { type Field, parseFields } from '../http/fields.ts'
import { requireChoice, requireText } from '../http/parameters.ts'
import type { QrCode } from '../model.ts'
import { getNumberSettings } from './number-settings.ts'

const MESSAGE_MAX = 140
const CODES_MAX = 2_000
const FORMATS = ['SVG', 'PNG']
const DEFAULTS = 'code,prefilled_message,deep_link_url'

/** With a `code` its message is changed, else there is a new code. */
export const saveQrCode: Endpoint<'phone'> = (graph, { node: phone, params, method }) => {
  const { qrCodes } = getNumberSettings(graph, phone)
  const message = requireText(params, 'prefilled_message', '', MESSAGE_MAX)
  // Clients write it in either case.
  const format = params.generate_qr_image === undefined ? undefined : asText(params.generate_qr_image).toUpperCase()
  if (format !== undefined) requireChoice(format, 'generate_qr_image', FORMATS)
  const known = params.code === undefined ? undefined : qrCodes.get(asText(params.code))
  if (params.code !== undefined && !known) throw missingObject(method, asText(params.code))
  if (!known && qrCodes.size >= CODES_MAX) throw invalid(`A number can have at most ${CODES_MAX} QR codes.`)
  const saved: QrCode = { code: known?.code ?? graph.random.text(14).toUpperCase(), message }
  qrCodes.set(saved.code, saved)
  return { ...showQrCode(saved, DEFAULTS), qr_image_url: format === undefined ? undefined : imageUrl(saved, format) }
}

export const listQrCodes: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const codes = [...getNumberSettings(graph, phone).qrCodes.values()].reverse()
  const shown = params.code === undefined ? codes : codes.filter(({ code }) => code === asText(params.code))
  return { data: shown.map((code) => showQrCode(code, params.fields)) }
}

export const getQrCode: Endpoint<'phone'> = (graph, { node: phone, item, params, method }) => {
  const code = getNumberSettings(graph, phone).qrCodes.get(item)
  if (!code) throw missingObject(method, item)
  return { data: [showQrCode(code, params.fields)] }
}

export const deleteQrCode: Endpoint<'phone'> = (graph, { node: phone, item, method }) => {
  if (!getNumberSettings(graph, phone).qrCodes.delete(item)) throw missingObject(method, item)
  return SUCCESS
}

function showQrCode(qrCode: QrCode, fields: Json): JsonObject {
  const members: Record<string, (field: Field) => string> = {
    code: () => qrCode.code,
    prefilled_message: () => qrCode.message,
    deep_link_url: () => `https://wa.me/message/${qrCode.code}`,
    qr_image_url: ({ modifiers }) =>
      imageUrl(qrCode, requireChoice(modifiers.get('format') ?? 'SVG', 'format', FORMATS)),
  }
  const shown: JsonObject = {}
  for (const field of parseFields(asText(fields) || DEFAULTS)) {
    const member = members[field.name]
    if (!member) throw invalid(`Tried accessing nonexisting field (${field.name}) on node type (WhatsAppMessageQrdl)`)
    shown[field.name] = member(field)
  }
  return shown
}

function imageUrl({ code }: QrCode, format: Json): string {
  return `https://scontent.xx.fbcdn.net/m1/v/t6/${code}.${asText(format).toLowerCase()}`
}
