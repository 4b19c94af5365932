import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export type Link = AsyncDisposable & {
  port: number
  /** Closes every connection, as a cable that is pulled, and refuses new ones until `restore`. */
  cut(): void
  /** Keeps every connection, and lets no byte through until `restore`. */
  stall(): void
  /** Passes every byte on this much later. */
  delay(ms: number): void
  /** Closes every connection, once. */
  reset(): void
  /** Ends every connection in one direction, once: its client gets no more bytes, and may still send. */
  halfClose(): void
  restore(): void
}

/** A TCP proxy on loopback, for faults between two processes. */
export async function openLink(target: NetConnectOpts): Promise<Link> {
  const open = new Set<Socket>()
  const clients = new Set<Socket>()
  let state: 'open' | 'cut' | 'stalled' = 'open'
  let delayMs = 0

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = connect({ ...target, allowHalfOpen: true })
    clients.add(near)
    near.once('close', () => clients.delete(near))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.setNoDelay(true)
      if (state === 'stalled') from.pause()
      from.on('data', (bytes) => {
        if (!to.writable) return
        if (delayMs > 0) setTimeout(() => to.writable && to.write(bytes), delayMs)
        else if (!to.write(bytes)) from.pause()
      })
      to.on('drain', () => state !== 'stalled' && from.resume())
      from.on('end', () => setTimeout(() => to.end(), delayMs))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        // After its end, what is delayed may still be on its way.
        if (!from.readableEnded) to.destroy()
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  function reset(): void {
    for (const socket of open) socket.destroy()
  }

  return {
    port: (server.address() as AddressInfo).port,
    reset,
    halfClose(): void {
      for (const socket of clients) socket.end()
    },
    cut(): void {
      state = 'cut'
      reset()
    },
    stall(): void {
      state = 'stalled'
      for (const socket of open) socket.pause()
    },
    delay(ms: number): void {
      delayMs = ms
    },
    restore(): void {
      state = 'open'
      delayMs = 0
      for (const socket of open) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      reset()
    },
  }
}
