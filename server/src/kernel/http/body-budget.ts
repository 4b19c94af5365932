import { AppError } from '../errors.ts'

type OpenBody = { bytes: number; refuse: (err: AppError) => void }

/** A chunk occupies this much besides its bytes: a client may send a body in chunks of one byte. */
const CHUNK_BYTES = 256

export type BodyBudget = ReturnType<typeof createBodyBudget>

/**
 * Bounds the memory of bodies that are being read, over all connections of the process. Beyond it the largest of them is
 * refused: that frees the most, and a client that sends much and slowly does not keep out those that send little.
 */
export function createBodyBudget(bytesMax: number) {
  const bodies = new Set<OpenBody>()
  let bytes = 0

  function close(body: OpenBody): void {
    if (bodies.delete(body)) bytes -= body.bytes
  }

  function refuseLargest(): void {
    const largest = [...bodies].reduce((a, b) => (b.bytes > a.bytes ? b : a))
    close(largest)
    largest.refuse(new AppError('OVERLOADED', 'bodies_queue_full'))
  }

  return {
    /** A body that is being read. `refuse` ends the reading. */
    open(refuse: OpenBody['refuse']) {
      const body: OpenBody = { bytes: 0, refuse }
      bodies.add(body)
      return {
        addChunk(length: number): void {
          body.bytes += length + CHUNK_BYTES
          bytes += length + CHUNK_BYTES
          while (bytes > bytesMax) refuseLargest()
        },

        close: () => close(body),
      }
    },
  }
}
