import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createConcurrencyLimit } from '../../concurrency-limit.ts'
import { createPacedTurns } from '../../paced-turns.ts'

/** The number of rows that one statement reads. */
const STEP_ROWS = 500
/** Characters of a list that is sent whole. A list of 500 channels is shorter. */
const WHOLE_LENGTH_MAX = 256 * 1024
const PER_OWNER_MAX = 2
const TOTAL_MAX = 8
const RETRY_SECONDS = 1
/** The number of large lists that are known; the others are read once before they are refused. */
const KNOWN_MAX = 1000
/** A client that reads a little all the time must not keep a slot from the others. */
const RESPONSE_MS_MAX = 300_000
/** Steps of large lists take at most a third of the time of the event loop, however many clients read. */
const PAUSE_FACTOR = 2

/** A part of a list in descending order of ids; `before` is the last id of the part before it. */
export type ListStep = { before: string | null; limit: number }

type List = {
  /** The organization, which has `PER_OWNER_MAX` slots for large lists. */
  owner: string
  /** The member of `data`. */
  name: string
  read: (step: ListStep) => Promise<{ id: string }[]>
}

export type ListResponses = ReturnType<typeof createListResponses>

/**
 * Sends lists that have no pages. A small list is sent whole. A large one is read and written in steps, each when the
 * client has taken the one before: no more than two steps are in memory, and while the client does not read, no
 * statement runs and no database connection is held. A failure after the first step closes the connection, so that no client takes
 * a part for the whole. Large lists in flight are limited in this process, for each owner and in total. A list that was
 * large the last time is refused before it is read: otherwise refused requests would cost almost as much as others.
 * Their steps take turns: eight clients that read fast would leave sends and deliveries no time.
 */
export function createListResponses({ responseMsMax = RESPONSE_MS_MAX } = {}) {
  const slots = createConcurrencyLimit(PER_OWNER_MAX, 'lists_in_flight', {
    totalMax: TOTAL_MAX,
    retrySeconds: RETRY_SECONDS,
  })

  const takeTurn = createPacedTurns(PAUSE_FACTOR)

  /** Lists that were large the last time, the one that was seen longest ago first. */
  const large = new Set<string>()

  function remember(list: string, isLarge: boolean): void {
    large.delete(list)
    if (isLarge) large.add(list)
    const [oldest] = large
    if (large.size > KNOWN_MAX && oldest !== undefined) large.delete(oldest)
  }

  return async function sendList(reply: FastifyReply, { owner, name, read }: List): Promise<FastifyReply> {
    const [head, tail] = [`{"data":{"${name}":[`, ']}}']
    // By the route's schema of the whole response.
    const print = (rows: unknown[]) =>
      String(reply.serializeInput({ data: { [name]: rows } }, '200')).slice(head.length, -tail.length)
    const list = `${owner} ${name}`
    const wasLarge = large.has(list)
    using reading = new DisposableStack()
    if (wasLarge) reading.use(slots.acquire(owner))
    const readStep = async (before: string | null) => {
      const rows = await read({ before, limit: STEP_ROWS })
      return { rows, text: print(rows) }
    }
    const { rows, text: first } = await (wasLarge ? takeTurn(() => readStep(null)) : readStep(null))
    reply.type('application/json; charset=utf-8')
    const isWhole = rows.length < STEP_ROWS
    const isLarge = !isWhole || first.length > WHOLE_LENGTH_MAX
    remember(list, isLarge)
    if (!isLarge) return reply.send(head + first + tail)

    if (!wasLarge) reading.use(slots.acquire(owner))
    const slot = reading.move()
    const timer = setTimeout(() => reply.raw.destroy(), responseMsMax)
    onClosed(reply, () => {
      clearTimeout(timer)
      slot[Symbol.dispose]()
    })

    async function* write(): AsyncGenerator<string> {
      yield head + first
      let last = isWhole ? undefined : rows.at(-1)
      while (last) {
        const before = last.id
        const step = await takeTurn(() => readStep(before))
        if (step.rows.length > 0) yield `,${step.text}`
        last = step.rows.length < STEP_ROWS ? undefined : step.rows.at(-1)
      }
      yield tail
    }
    const isHead = reply.request.method === 'HEAD'
    return reply.send(Readable.from(isHead ? [] : write(), { objectMode: false, highWaterMark: 1 }))
  }
}

function onClosed({ raw }: FastifyReply, run: () => void): void {
  if (raw.destroyed) run()
  else raw.once('close', run)
}
