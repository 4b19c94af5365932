/** The bytes of an event: its envelope or raw change, and what compat endpoints get instead of it, if anything. */
export type Body = { body: Buffer; compatBody: Buffer | null }

export type Bodies = ReturnType<typeof createBodies>

/**
 * Remembers the bodies of late, within bounds: most deliveries leave the process
 * that made them a moment later, and need not ask the database for what it wrote.
 * They are kept in two halves. When the newer one is full it becomes the older
 * one, which is forgotten whole: to forget them one by one, oldest first, costs
 * a map more with each that it has forgotten.
 */
export function createBodies({ bytesMax }: { bytesMax: number }) {
  const halfMax = bytesMax / 2
  let newer = new Map<string, Body>()
  let older = new Map<string, Body>()
  let bytes = 0

  return {
    /** The bytes of an event never change, so the first time is as good as the last. */
    put(id: string, { body, compatBody }: Body): void {
      const size = body.length + (compatBody?.length ?? 0)
      if (newer.has(id) || size > halfMax) return
      if (bytes + size > halfMax) {
        older = newer
        newer = new Map()
        bytes = 0
      }
      newer.set(id, { body, compatBody })
      bytes += size
    },

    get: (id: string): Body | undefined => newer.get(id) ?? older.get(id),
  }
}
