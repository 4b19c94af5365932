import { Agent } from 'undici'
import { AppError } from '../../../kernel/errors.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { readChallenge, type Verification } from '../challenge.ts'
import { isSigned } from '../signature.ts'

/** The upstream waits for some seconds. A cell that takes longer gets the callback again. */
const DEADLINE_MS = 10_000
const CONNECTIONS_PER_CELL = 64
/** On what this process sends. It takes nothing that has it, so that two such processes cannot send to each other forever. */
export const FORWARDED_HEADER = 'x-hub-forwarded'
/** Each cell has its own, so that one that does not respond keeps nothing from the others. */
const WAITING_MAX = 1000
const WAITING_BYTES_MAX = 64 * 1024 * 1024
const RESPONSE_BYTES_MAX = 64 * 1024

export const FORWARDING_OUTCOMES = ['succeeded', 'failed'] as const
type Outcome = (typeof FORWARDING_OUTCOMES)[number]

/** `waiting` is what was sent there and not answered yet. */
type Cell = { url: URL; waiting: { callbacks: number; bytes: number } }

type Dependencies = {
  /** The address at each cell that takes callbacks. */
  callbackUrls: readonly string[]
  app: { appSecret: string; verifyToken: string }
  version: string
  logger: Logger
  /** Tests lower them. */
  deadlineMs?: number
  waitingBytesMax?: number
}

export type Forwarding = ReturnType<typeof createForwarding>

/**
 * Takes the callbacks of the app for all cells, and sends each one unchanged to every cell: only the cells know whose it is.
 * A 200 means that every cell has stored it. After any other answer the upstream sends it again, to all cells, of which
 * those that have it already ignore it.
 */
export function createForwarding(dependencies: Dependencies) {
  const { callbackUrls, app, version, logger } = dependencies
  const { deadlineMs = DEADLINE_MS, waitingBytesMax = WAITING_BYTES_MAX } = dependencies
  const cells = callbackUrls.map((url) => ({ url: new URL(url), waiting: { callbacks: 0, bytes: 0 } }))
  // The deadline covers the whole of a request, exactly; undici's own timers are coarse.
  const agent = new Agent({
    connections: CONNECTIONS_PER_CELL,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: deadlineMs },
  })
  const observers = {
    refused: (): void => undefined,
    forwarded: (_cell: string, _outcome: Outcome): void => undefined,
  }

  /** Redirects are not followed: a cell answers at its own address. */
  async function post(url: URL, bytes: Buffer, signature: string): Promise<number> {
    const { statusCode, body } = await agent.request({
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signature,
        [FORWARDED_HEADER]: 'callbacks',
        'user-agent': `Hubline/${version}`,
      },
      body: bytes,
      signal: AbortSignal.timeout(deadlineMs),
    })
    // The status is all that counts; the rest is read so that the connection can be used again.
    body.dump({ limit: RESPONSE_BYTES_MAX }).catch(() => undefined)
    return statusCode
  }

  async function postWithinLimits({ url, waiting }: Cell, bytes: Buffer, signature: string): Promise<number> {
    if (waiting.callbacks >= WAITING_MAX || waiting.bytes + bytes.length > waitingBytesMax) {
      throw new Error('Too many callbacks wait for this cell')
    }
    waiting.callbacks += 1
    waiting.bytes += bytes.length
    try {
      return await post(url, bytes, signature)
    } finally {
      waiting.callbacks -= 1
      waiting.bytes -= bytes.length
    }
  }

  async function forward(cell: Cell, bytes: Buffer, signature: string): Promise<boolean> {
    const result = await postWithinLimits(cell, bytes, signature).then(
      (status) => ({ status }),
      (err: unknown) => ({ err }),
    )
    const { host } = cell.url
    const isTaken = 'status' in result && result.status === 200
    observers.forwarded(host, isTaken ? 'succeeded' : 'failed')
    if (!isTaken) logger.warn({ cell: host, ...result }, 'a cell did not take a callback')
    return isTaken
  }

  return {
    cells: cells.map(({ url }) => url.host),

    /** For metrics. */
    observe(observer: typeof observers): void {
      Object.assign(observers, observer)
    },

    verifySubscription: (verification: Verification) => readChallenge(verification, app.verifyToken),

    async receive(bytes: Buffer, signature: string | string[] | undefined): Promise<void> {
      if (typeof signature !== 'string' || !isSigned(bytes, signature, app.appSecret)) {
        observers.refused()
        throw new AppError('UNAUTHORIZED', 'callback_not_signed')
      }
      const taken = await Promise.all(cells.map((cell) => forward(cell, bytes, signature)))
      if (taken.includes(false)) throw new AppError('NOT_READY', 'callback_not_forwarded')
    },

    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}
