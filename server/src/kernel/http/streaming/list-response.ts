import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createConcurrencyLimit } from '../../concurrency-limit.ts'

/** How many rows one statement reads. */
const STEP_ROWS = 500
/** Characters of a list that is sent whole. A list of 500 channels is shorter. */
const WHOLE_LENGTH_MAX = 256 * 1024
const PER_OWNER_MAX = 2
const TOTAL_MAX = 8
const RETRY_SECONDS = 1
/** A client that reads a little all the time must not keep a slot from the others. */
const RESPONSE_MS_MAX = 300_000

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
 * a part for the whole. Large lists in flight are limited in this process, for each owner and in total.
 */
export function createListResponses({ responseMsMax = RESPONSE_MS_MAX } = {}) {
  const slots = createConcurrencyLimit(PER_OWNER_MAX, 'large lists of an organization', {
    totalMax: TOTAL_MAX,
    retrySeconds: RETRY_SECONDS,
  })

  return async function sendList(reply: FastifyReply, { owner, name, read }: List): Promise<FastifyReply> {
    const [head, tail] = [`{"data":{"${name}":[`, ']}}']
    // By the route's schema of the whole response.
    const print = (rows: unknown[]) =>
      String(reply.serializeInput({ data: { [name]: rows } }, '200')).slice(head.length, -tail.length)
    const rows = await read({ before: null, limit: STEP_ROWS })
    const first = print(rows)
    reply.type('application/json; charset=utf-8')
    const isWhole = rows.length < STEP_ROWS
    if (isWhole && first.length <= WHOLE_LENGTH_MAX) return reply.send(head + first + tail)

    const slot = slots.acquire(owner)
    const timer = setTimeout(() => reply.raw.destroy(), responseMsMax)
    onClosed(reply, () => {
      clearTimeout(timer)
      slot[Symbol.dispose]()
    })

    async function* write(): AsyncGenerator<string> {
      yield head + first
      let last = isWhole ? undefined : rows.at(-1)
      while (last) {
        const step = await read({ before: last.id, limit: STEP_ROWS })
        if (step.length > 0) yield `,${print(step)}`
        last = step.length < STEP_ROWS ? undefined : step.at(-1)
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
