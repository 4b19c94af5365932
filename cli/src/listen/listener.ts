import { setTimeout as sleep } from 'node:timers/promises'
import { type CreateListener, type Hub, HubApiError } from '@hubline/sdk'
import { CliError, EXIT } from '../exit-codes.ts'
import { createAcknowledgements } from './acknowledgements.ts'
import type { Forwarded } from './forwarder.ts'
import { type DeliveryLine, type EndLine, readStream } from './stream.ts'

/** Far below the 60 seconds that the hub waits for a new connection. */
const WAIT_MIN_MS = 500
const WAIT_MAX_MS = 5000
/** Twice what the hub lets a listener have. More are not taken, and come again because they are not acknowledged. */
const UNDER_WAY_MAX = 2000
/** A stream may hold a delivery whose acknowledgement was on its way when the hub read it. */
const ANSWERED_MAX = 10_000

export type ListenerSession = { id: string; secret: string }

type Options = {
  hub: Hub
  /** The filters of the listener, and its secret. */
  wanted: CreateListener
  /** The listener of a former run. */
  left: ListenerSession | undefined
  signal: AbortSignal
  /** Resolves to true when the local server has answered. */
  forward: (delivery: Forwarded) => Promise<boolean>
  onSession: (session: ListenerSession, isNew: boolean) => Promise<void>
  onState: (state: 'connected' | 'disconnected' | 'gone', message: string) => void
}

/**
 * Keeps a stream of the listener open, and gives each delivery to the local server. A delivery is acknowledged when the
 * server has answered it. The hub sends what is not acknowledged again in each new stream: what is still being forwarded,
 * or was answered lately, is not forwarded twice.
 */
export async function runListener({ hub, wanted, left, signal, forward, onSession, onState }: Options): Promise<void> {
  const create = async () => toSession(await hub.listeners.create(wanted, { signal }))
  let session: ListenerSession = left ?? (await create())
  await onSession(session, left === undefined)
  const acknowledgements = createAcknowledgements(hub, () => session)
  const underWay = new Set<string>()
  const answered = new Set<string>()
  /** The reason why the session is of no use, until there is another one. */
  let gone: string | undefined
  let waitMs = WAIT_MIN_MS

  async function replace(message: string): Promise<void> {
    onState('gone', message)
    acknowledgements.clear()
    session = await create()
    gone = undefined
    await onSession(session, true)
  }

  async function take({ id, event, headers, body }: DeliveryLine): Promise<void> {
    if (answered.has(id)) return acknowledgements.add(id)
    if (underWay.has(id) || underWay.size >= UNDER_WAY_MAX) return
    underWay.add(id)
    const isAnswered = await forward({ id, event, headers, body })
    if (isAnswered) {
      rememberLast(answered, id)
      acknowledgements.add(id)
    }
    underWay.delete(id)
  }

  async function readOnce(): Promise<void> {
    for await (const line of readStream(hub, session, signal)) {
      waitMs = WAIT_MIN_MS
      if (line.type === 'heartbeat') onState('connected', '')
      if (line.type === 'delivery') void take(line)
      if (line.type === 'end') await handleEnd(line)
    }
  }

  async function handleEnd({ reason, gone, message }: EndLine): Promise<void> {
    if (reason === 'unauthorized') throw new CliError(message, EXIT.credential)
    if (reason === 'replaced') throw new CliError(message)
    if (gone) await replace(message)
  }

  while (!signal.aborted) {
    try {
      if (gone !== undefined) await replace(gone)
      await readOnce()
    } catch (err) {
      if (signal.aborted) break
      if (isFinal(err)) throw err
      if (err instanceof HubApiError && err.status === 404) {
        gone = 'The hub does not know the listener of the former run any more: what came meanwhile is lost.'
        continue
      }
      onState('disconnected', (err as Error).message)
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    waitMs = Math.min(waitMs * 2, WAIT_MAX_MS)
  }
  await acknowledgements.flush()
}

/** A refusal that another attempt does not change. */
function isFinal(err: unknown): boolean {
  if (err instanceof CliError) return true
  return err instanceof HubApiError && err.status < 500 && err.status !== 404 && err.status !== 429
}

function rememberLast(ids: Set<string>, id: string): void {
  ids.add(id)
  const [oldest] = ids
  if (ids.size > ANSWERED_MAX && oldest !== undefined) ids.delete(oldest)
}

function toSession({ listener, secret }: { listener: { id: string }; secret: string }): ListenerSession {
  return { id: listener.id, secret }
}
