import { asText } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Endpoint } from '../http/call.ts'
import { invalid, missingObject, required } from '../http/errors.ts'
import type { Upload } from '../model.ts'

const FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']
const FILE_BYTES_MAX = 100 * 1024 * 1024

/** Opens a session. Its id contains a query string and must be used as a path unchanged. */
export const startUpload: Endpoint<'app'> = (graph, { params }) => {
  const { file_length: length, file_type: type } = params
  const bytes = Number(length)
  if (length === undefined) throw required('file_length')
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > FILE_BYTES_MAX)
    throw invalid('Param file_length is out of range')
  if (!FILE_TYPES.includes(asText(type))) throw invalid(`Param file_type must be one of {${FILE_TYPES.join(', ')}}`)
  const id = `upload:${Buffer.from(`1:attachment:${graph.random.text(20)}`).toString('base64')}`
  const signature = `AR${graph.random.text(18)}`
  graph.state.uploads.set(id, { id, signature, fileType: asText(type), length: bytes, offset: 0, handle: undefined })
  return { id: `${id}?sig=${signature}` }
}

/** The offset at which an interrupted upload continues. */
export const getUpload: Endpoint<'upload'> = (_graph, { node: upload, ...call }) => {
  if (call.params.sig !== upload.signature) throw missingObject(call.method, upload.id)
  return toProgress(upload)
}

/** Appends bytes to an upload. The offset is a header, not a parameter. */
export const continueUpload: Endpoint<'upload'> = async (graph, { node: upload, ...call }) => {
  if (call.params.sig !== upload.signature) throw missingObject(call.method, upload.id)
  const offset = call.headers.file_offset
  if (offset === undefined) throw required('file_offset')
  if (Number(offset) !== upload.offset) {
    throw invalid(`The file_offset ${String(offset)} does not match the ${upload.offset} bytes received so far`)
  }
  for await (const chunk of call.stream as AsyncIterable<Buffer>) upload.offset += chunk.length
  if (upload.offset > upload.length) throw invalid('More bytes were sent than file_length announced')
  if (upload.offset < upload.length) return toProgress(upload)
  upload.handle ??= createHandle(graph, upload)
  return { h: upload.handle }
}

function toProgress(upload: Upload) {
  return { id: `${upload.id}?sig=${upload.signature}`, file_offset: upload.offset }
}

function createHandle(graph: Graph, upload: Upload): string {
  const type = Buffer.from(upload.fileType).toString('base64')
  const seconds = Math.floor(graph.clock.now() / 1_000)
  const handle = `4::${type}:AR${graph.random.text(40)}:e:${seconds}:AR${graph.random.text(20)}`
  graph.state.handles.set(handle, upload.fileType)
  return handle
}
