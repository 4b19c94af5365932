import { AppError, ERROR_STATUS, invalidRequest } from '../../../kernel/errors.ts'
import { readRawFile } from '../../../kernel/http/upload.ts'
import { toExactText } from '../../../kernel/json/exact.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import { readRowParameters } from '../graph/leniency.ts'
import { EXAMPLE_BYTES_MAX, exampleTooLarge, invalidExample } from '../header-handles/examples.ts'
import type { HandleUploads } from '../header-handles/uploads.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import type { AllowedRequest } from '../upstream-calls.ts'
import type { UploadSessions } from './sessions.ts'

const FILE_NAME_LENGTH_MAX = 200
const UNNAMED = 'file'
/** Clients write the type of a JPEG in both ways. */
const TYPE_ALIASES: Record<string, string> = { 'image/jpg': 'image/jpeg' }

type Dependencies = { uploadSessions: UploadSessions; handleUploads: HandleUploads }

/** Graph's upload in two steps, for the example of a template and the picture of a profile. */
export function createUploadOperations({ uploadSessions, handleUploads }: Dependencies) {
  return {
    async openUpload(request: AllowedRequest): Promise<FacadeResponse> {
      const id = await uploadSessions.open(toOpener(request), readAnnouncement(readRowParameters(request)))
      return toJsonResponse(JSON.stringify({ id: `upload:${id}` }))
    },

    /** A session takes the whole file at once, so it has received nothing until it ends. */
    async readUpload(request: AllowedRequest): Promise<FacadeResponse> {
      await uploadSessions.find(toKey(request))
      return toJsonResponse(JSON.stringify({ id: `upload:${request.id}`, file_offset: 0 }))
    },

    /** An upload that was interrupted can be repeated; one that was refused, not: its session ends. */
    async fillUpload(request: AllowedRequest): Promise<FacadeResponse> {
      const key = toKey(request)
      const { file_name: filename, file_bytes: bytes } = await uploadSessions.find(key)
      requireStart(request)
      try {
        const receive = async () => ({ content: readRawFile(request.raw), filename, bytes })
        const handle = await handleUploads.create(request, receive)
        await uploadSessions.end(key)
        return toJsonResponse(JSON.stringify(handle))
      } catch (err) {
        if (!request.signal.aborted && isRefusal(err)) await uploadSessions.end(key)
        throw err
      }
    },
  }
}

/** The access rules admit channel tokens only, so a caller without an id is a defect in them. */
function toOpener({ organizationId, channelId, initiator }: AllowedRequest) {
  const { id: credentialId } = initiator.actor
  if (credentialId === null) throw new Error('An upload was reached without a channel token')
  return { organizationId, channelId, credentialId }
}

function toKey(request: AllowedRequest) {
  return { ...toOpener(request), id: request.id }
}

/** The type is only announced: the bytes decide, when they arrive. */
function readAnnouncement({ file_name: name, file_length: length, file_type: type }: JsonObject) {
  const fileBytes = Number(/^\d{1,12}$/.exec(toExactText(length) ?? '')?.[0])
  if (!(fileBytes > 0)) throw invalidRequest('file_length_invalid')
  const mimeType = typeof type === 'string' ? type.toLowerCase() : undefined
  const known = mimeType === undefined ? Object.keys(EXAMPLE_BYTES_MAX) : [TYPE_ALIASES[mimeType] ?? mimeType]
  const bytesMax = Math.max(...known.map((one) => EXAMPLE_BYTES_MAX[one] ?? 0))
  if (bytesMax === 0) throw invalidExample()
  if (fileBytes > bytesMax) throw exampleTooLarge(mimeType ?? 'any', bytesMax)
  return { fileName: readFileName(name), fileBytes }
}

/** The end is kept, because it has the extension. */
function readFileName(name: unknown): string {
  if (typeof name !== 'string') return UNNAMED
  return (
    name
      .replace(/\p{Cc}/gu, '')
      .slice(-FILE_NAME_LENGTH_MAX)
      .toWellFormed() || UNNAMED
  )
}

/** Some proxies drop headers with an underscore, so a missing offset is the start. */
function requireStart({ raw }: AllowedRequest): void {
  const offset = raw.headers.file_offset ?? '0'
  if (offset !== '0') throw invalidRequest('file_offset_invalid')
}

function isRefusal(err: unknown): boolean {
  if (!(err instanceof AppError)) return false
  const status = ERROR_STATUS[err.code]
  return err.code !== 'REQUEST_TIMEOUT' && err.code !== 'RATE_LIMITED' && status >= 400 && status < 500
}
