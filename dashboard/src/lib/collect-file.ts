export type Progress = { lines: number; bytes: number }

const LINE_END = 10
/** Parts of a file that the browser may move out of the memory of the page. */
const PART_BYTES = 4_194_304

/** Reads a response to its end, and says how far it is. */
export async function collectFile(response: Response, onProgress: (progress: Progress) => void): Promise<Blob> {
  const type = response.headers.get('content-type') ?? ''
  const parts: Blob[] = []
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let waitingBytes = 0
  const progress = { lines: 0, bytes: 0 }
  for await (const chunk of response.body ?? []) {
    waiting.push(chunk as Uint8Array<ArrayBuffer>)
    waitingBytes += chunk.byteLength
    progress.bytes += chunk.byteLength
    for (const byte of chunk) if (byte === LINE_END) progress.lines += 1
    onProgress({ ...progress })
    if (waitingBytes < PART_BYTES) continue
    parts.push(new Blob(waiting))
    waiting = []
    waitingBytes = 0
  }
  return new Blob([...parts, ...waiting], { type })
}
