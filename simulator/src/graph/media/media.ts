import { readMultipart } from '../../http/multipart.ts'
import { asText, type Json, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, type GraphResponse, SUCCESS } from '../http/call.ts'
import { GraphError, invalid, missingObject, required } from '../http/errors.ts'
import { DAY_MS, type Media, MINUTE_MS, type Phone } from '../model.ts'
import type { FileIntake, StoredFile } from './file-store.ts'
import { findMediaKind, listAllowedTypes, MEDIA_KINDS } from './media-types.ts'

const UPLOADED_LIFE_MS = 30 * DAY_MS
const RECEIVED_LIFE_MS = 7 * DAY_MS
const LINK_LIFE_MS = 5 * MINUTE_MS

/** The path of download URLs, which the platform serves from another host. */
export const DOWNLOAD_PATH = '/whatsapp_business/attachments/'

export const uploadMedia: Endpoint<'phone'> = async (graph, { node: phone, ...call }) => {
  let intake: FileIntake | undefined
  const form = await readMultipart(call.stream, call.headers['content-type'] ?? '', () => {
    intake = graph.files.open()
    return intake.stream
  })
  const stored = await intake?.stored
  try {
    const product = form?.fields.get('messaging_product') ?? call.params.messaging_product
    if (product !== 'whatsapp') throw required('messaging_product')
    const file = form?.file
    if (file?.name !== 'file' || !stored) throw required('file')
    // Without `type`, the content type of the part counts.
    const mimeType = form?.fields.get('type') ?? file.type
    checkFile(mimeType, stored.size)
    const media = storeMedia(graph, phone, stored, mimeType, UPLOADED_LIFE_MS, file.filename)
    return { id: media.id }
  } catch (err) {
    if (stored) graph.files.discard(stored.path)
    throw err
  }
}

function checkFile(mimeType: string, size: number): void {
  const kind = findMediaKind(mimeType)
  if (!kind) {
    const types = listAllowedTypes().join(', ')
    throw invalid(
      `Param file must be a file with one of the following types: ${types}. Received file of type '${mimeType}'.`,
    )
  }
  const { bytesMax } = MEDIA_KINDS[kind]
  if (size === 0) throw invalid('Param file must not be empty.')
  if (size > bytesMax) throw invalid(`Param file must be at most ${bytesMax} bytes. Received ${size} bytes.`)
}

export function storeMedia(
  graph: Graph,
  phone: Phone,
  stored: StoredFile,
  mimeType: string,
  lifeMs: number = RECEIVED_LIFE_MS,
  filename?: string,
): Media {
  const media: Media = {
    id: graph.random.digits(16),
    phoneId: phone.id,
    wabaId: phone.wabaId,
    mimeType,
    filename,
    ...stored,
    expiresAt: graph.clock.now() + lifeMs,
  }
  graph.state.media.set(media.id, media)
  return media
}

export const getMedia: Endpoint<'media'> = (graph, { node: media, method, params }) => {
  checkOwner(media, method, params)
  return {
    messaging_product: 'whatsapp',
    url: createDownloadUrl(graph, media),
    mime_type: media.mimeType,
    sha256: media.sha256.toString('hex'),
    file_size: media.size,
    id: media.id,
  }
}

export const deleteMedia: Endpoint<'media'> = (graph, { node: media, method, params }) => {
  checkOwner(media, method, params)
  graph.state.media.delete(media.id)
  graph.files.discard(media.path)
  return SUCCESS
}

/** With another number's `phone_number_id`, the media does not exist. */
function checkOwner(media: Media, method: string, params: JsonObject): void {
  const owner = params.phone_number_id
  if (owner !== undefined && asText(owner) !== media.phoneId) throw missingObject(method, media.id)
}

export function findMedia(graph: Graph, id: Json, phone: Phone): Media | undefined {
  const media = graph.state.media.get(asText(id))
  return media && media.wabaId === phone.wabaId && graph.clock.now() < media.expiresAt ? media : undefined
}

/** A URL that is valid for five minutes, together with a token that may read the media. */
export function createDownloadUrl(graph: Graph, media: Media): string {
  const expiresAt = graph.clock.now() + LINK_LIFE_MS
  const hash = graph.random.text(32)
  graph.state.mediaLinks.set(hash, { mediaId: media.id, expiresAt })
  const query = new URLSearchParams({ mid: media.id, ext: String(Math.floor(expiresAt / 1_000)), hash })
  return `${graph.url()}${DOWNLOAD_PATH}?${query}`
}

/** The download host returns a 404 without an error object for every invalid URL. */
export function download(graph: Graph, query: URLSearchParams, tokenValue: string | undefined): GraphResponse {
  const link = graph.state.mediaLinks.get(query.get('hash') ?? '')
  const media = graph.state.media.get(link?.mediaId ?? '')
  if (tokenValue === undefined) throw new GraphError(401, { message: 'Authentication required', code: 190 })
  const token = graph.state.tokens.get(tokenValue)
  const isAllowed = token?.revokedSubcode === undefined && media !== undefined && token?.wabaIds.includes(media.wabaId)
  const isGood = link && media && link.mediaId === query.get('mid') && graph.clock.now() < link.expiresAt
  if (!isGood || !isAllowed) return { status: 404 }
  return {
    headers: {
      'content-type': media.mimeType,
      'content-length': String(media.size),
      'content-disposition': `attachment;filename=${media.filename ? encodeURIComponent(media.filename) : media.id}`,
    },
    file: graph.files.read(media.path),
  }
}
