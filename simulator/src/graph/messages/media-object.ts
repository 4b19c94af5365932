import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { invalid, required } from '../http/errors.ts'
import { checkKeys, checkOptionalText, joinPath, requireObject, requireText } from '../http/parameters.ts'
import { findMedia } from '../media/media.ts'
import { hasMagicBytes, MEDIA_KINDS, type MediaKind, toBaseType } from '../media/media-types.ts'
import type { Phone } from '../model.ts'

const CAPTION_MAX = 1_024
const VOICE_TYPES = ['audio/ogg']

/** A failure that the platform reports later, by webhook. */
export interface DeliveryFailure {
  code: number
  details: string
}

export interface MessageContext {
  graph: Graph
  phone: Phone
}

/** Requires exactly one of `id` and `link`, and a file of a type that this kind of message can have. */
export function checkMedia(
  parent: JsonObject,
  kind: MediaKind,
  extraKeys: readonly string[],
  context: MessageContext,
  path = '',
): DeliveryFailure | undefined {
  const media = requireObject(parent, kind, path)
  const where = joinPath(path, kind)
  checkKeys(media, where, ['id', 'link', ...extraKeys])
  if (extraKeys.includes('caption')) checkOptionalText(media, 'caption', where, CAPTION_MAX)
  if (media.id === undefined && media.link === undefined) throw required(`${where}['id']`)
  if (media.id !== undefined && media.link !== undefined) {
    throw invalid(`Param ${where} must have exactly one of id and link.`)
  }
  return media.link === undefined
    ? checkStoredMedia(media, kind, where, context)
    : checkLink(requireText(media, 'link', where), where)
}

function checkStoredMedia(
  media: JsonObject,
  kind: MediaKind,
  where: string,
  { graph, phone }: MessageContext,
): DeliveryFailure | undefined {
  const stored = findMedia(graph, media.id, phone)
  if (!stored) throw invalid(`Param ${where}['id'] is not a valid whatsapp business account media attachment ID`)
  const type = toBaseType(stored.mimeType)
  const { types, bytesMax } = MEDIA_KINDS[kind]
  const isValid = types.includes(type) && stored.size <= bytesMax && hasMagicBytes(type, stored.head)
  if (isValid && (media.voice !== true || VOICE_TYPES.includes(type))) return undefined
  const details = `The media of type ${stored.mimeType} and ${stored.size} bytes cannot be sent as ${kind}.`
  return { code: 131053, details }
}

/** The simulator fetches no links. Only links to hosts under `.invalid` fail. */
function checkLink(link: string, where: string): DeliveryFailure | undefined {
  if (!URL.canParse(link) || !/^https?:/.test(link)) throw invalid(`Param ${where}['link'] is not a valid URI.`)
  if (!new URL(link).hostname.endsWith('.invalid')) return undefined
  return { code: 131053, details: `Downloading media from weblink failed: ${new URL(link).hostname} is unreachable.` }
}
