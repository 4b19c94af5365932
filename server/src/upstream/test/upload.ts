import { createUpstream } from '../upstream.ts'

/**
 * Uploads a file that is generated while it is sent, and prints the growth of
 * the memory in use. Run with --expose-gc, so that garbage is not counted.
 */
const [options = '{}', token = '', phoneNumberId = '', size = '0'] = process.argv.slice(2)
const CHUNK_BYTES = 64 * 1024
const CHUNKS_PER_SAMPLE = 64

function measureHeld(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

let [before, peak] = [0, 0]
async function* file() {
  before = measureHeld()
  for (let sent = 0, chunks = 0; sent < Number(size); chunks++) {
    // Each chunk has its own memory: queued references to one shared buffer would not show.
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, Number(size) - sent), chunks % 251)
    sent += chunk.length
    yield chunk
    if (chunks % CHUNKS_PER_SAMPLE === 0) peak = Math.max(peak, measureHeld())
  }
  peak = Math.max(peak, measureHeld())
}

await using upstream = createUpstream(JSON.parse(options))
const part = { file: file(), filename: 'grande.pdf', mimeType: 'application/pdf' }
const result = await upstream.media.upload(token, phoneNumberId, part)
process.stdout.write(JSON.stringify({ result, grownBytes: peak - before }))
