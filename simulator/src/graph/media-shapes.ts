import type { JsonObject } from '../json.ts'
import type { Graph } from './context.ts'
import { invalid, required } from './errors.ts'
import { findMedia } from './media.ts'
import { baseType, looksLike, MEDIA_KINDS, type MediaKind } from './media-types.ts'
import type { Phone } from './model.ts'
import { objectAt, onlyKeys, optionalTextAt, pathTo, textAt } from './parameters.ts'

const CAPTION_MAX = 1_024
const VOICE_TYPES = ['audio/ogg']

/** A failure that the sender learns of only later, by webhook. */
export interface LaterFailure {
  code: number
  details: string
}

export interface ShapeContext {
  graph: Graph
  phone: Phone
}

/** Exactly one of `id` and `link`, and a file that the kind of message can carry. */
export function mediaProblem(
  parent: JsonObject,
  kind: MediaKind,
  extraKeys: readonly string[],
  context: ShapeContext,
  path = '',
): LaterFailure | undefined {
  const media = objectAt(parent, kind, path)
  const where = pathTo(path, kind)
  onlyKeys(media, where, ['id', 'link', ...extraKeys])
  if (extraKeys.includes('caption')) optionalTextAt(media, 'caption', where, CAPTION_MAX)
  if (media.id === undefined && media.link === undefined) throw required(`${where}['id']`)
  if (media.id !== undefined && media.link !== undefined) {
    throw invalid(`Param ${where} must have exactly one of id and link.`)
  }
  return media.link === undefined
    ? storedProblem(media, kind, where, context)
    : linkProblem(textAt(media, 'link', where), where)
}

function storedProblem(
  media: JsonObject,
  kind: MediaKind,
  where: string,
  { graph, phone }: ShapeContext,
): LaterFailure | undefined {
  const stored = findMedia(graph, media.id, phone)
  if (!stored) throw invalid(`Param ${where}['id'] is not a valid whatsapp business account media attachment ID`)
  const type = baseType(stored.mimeType)
  const { types, bytesMax } = MEDIA_KINDS[kind]
  const isFit = types.includes(type) && stored.size <= bytesMax && looksLike(type, stored.head)
  if (isFit && (media.voice !== true || VOICE_TYPES.includes(type))) return undefined
  const details = `The media of type ${stored.mimeType} and ${stored.size} bytes cannot be sent as ${kind}.`
  return { code: 131053, details }
}

/** The simulator fetches nothing from outside: a link fails only where its host says so. */
function linkProblem(link: string, where: string): LaterFailure | undefined {
  if (!URL.canParse(link) || !/^https?:/.test(link)) throw invalid(`Param ${where}['link'] is not a valid URI.`)
  if (!new URL(link).hostname.endsWith('.invalid')) return undefined
  return { code: 131053, details: `Downloading media from weblink failed: ${new URL(link).hostname} is unreachable.` }
}
