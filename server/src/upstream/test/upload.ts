import { createUpstream } from '../upstream.ts'

/**
 * Uploads a file that exists only as it is read, and prints by how much the
 * memory in use rose meanwhile. Run with --expose-gc, so that what is counted
 * is what is held, and not what merely has not been swept yet.
 */
const [options = '{}', token = '', phoneNumberId = '', size = '0'] = process.argv.slice(2)
const CHUNK_BYTES = 64 * 1024
const CHUNKS_PER_LOOK = 64

function held(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

let [before, peak] = [0, 0]
async function* file() {
  before = held()
  for (let sent = 0, chunks = 0; sent < Number(size); chunks++) {
    // Each chunk is its own memory: one buffer used again and again could be queued without showing.
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, Number(size) - sent), chunks % 251)
    sent += chunk.length
    yield chunk
    if (chunks % CHUNKS_PER_LOOK === 0) peak = Math.max(peak, held())
  }
  peak = Math.max(peak, held())
}

await using upstream = createUpstream(JSON.parse(options))
const part = { file: file(), filename: 'grande.pdf', mimeType: 'application/pdf' }
const result = await upstream.media.upload(token, phoneNumberId, part)
process.stdout.write(JSON.stringify({ result, grownBytes: peak - before }))
