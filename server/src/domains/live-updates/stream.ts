import { createWaiter } from '../../kernel/http/streaming/waiter.ts'
import type { History } from './history.ts'
import type { SentUpdate } from './schemas.ts'

/** The interval at which a stream checks its session and membership. */
const CHECK_MS = 30_000
/** Proxies close a response on which nothing arrives for long. */
const HEARTBEAT_MS = 10_000

type StreamOptions = {
  history: History
  /** The position in the history at which it begins; undefined if what the client missed is not known any more. */
  position: number | undefined
  /** Returns true if the session may still read; it renews the stream too. */
  check: () => Promise<boolean>
  createReload: () => SentUpdate
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

export type UpdateStream = ReturnType<typeof createUpdateStream>

/** Writes the updates of an organization as server-sent events, as fast as the client takes them. */
export function createUpdateStream({ history, position: start, check, createReload, signal }: StreamOptions) {
  const wakeUp = createWaiter(signal)
  let position = start ?? -1
  let isStopping = false
  let checkedAt = performance.now()

  async function* write(): AsyncGenerator<string> {
    yield ': open\n\n'
    let writtenAt = performance.now()
    while (!signal.aborted && !isStopping) {
      if (performance.now() - checkedAt >= CHECK_MS) {
        checkedAt = performance.now()
        if (!(await check())) return
      }
      const text = takeNew().map(toEvent).join('')
      if (text !== '' || performance.now() - writtenAt >= HEARTBEAT_MS) {
        writtenAt = performance.now()
        yield text === '' ? ': heartbeat\n\n' : text
      }
      if (position === history.getEnd()) await wakeUp.wait(writtenAt + HEARTBEAT_MS - performance.now() + 1)
    }
  }

  function takeNew(): readonly SentUpdate[] {
    const updates = history.read(position) ?? [createReload()]
    position = history.getEnd()
    return updates
  }

  return {
    text: write(),
    wake: wakeUp.wake,

    /** Checks the session now. */
    recheck(): void {
      checkedAt = Number.NEGATIVE_INFINITY
      wakeUp.wake()
    },

    stop(): void {
      isStopping = true
      wakeUp.wake()
    },
  }
}

function toEvent(update: SentUpdate): string {
  return `id: ${update.id}\ndata: ${JSON.stringify(update)}\n\n`
}
