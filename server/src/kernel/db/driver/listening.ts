import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from './connection.ts'

const RECONNECT_MS = 200

/** `onListening` is called each time that listening begins, also after a lost connection. */
export type Listen = (
  channel: string,
  onNotification: (payload: string) => void,
  onListening?: () => void,
) => Promise<{ unlisten: () => Promise<void> }>

type Listener = { channel: string; onNotification: (payload: string) => void; onListening: () => void }

/** Listens for notifications on one connection, which is opened for the first listener and again whenever it is lost. */
export function createListening(open: () => Promise<Connection>) {
  const listeners = new Set<Listener>()
  let connecting: Promise<Connection> | undefined

  async function connect(): Promise<Connection> {
    const connection = await open()
    connection.onNotification((channel, payload) => {
      for (const listener of listeners) if (listener.channel === channel) listener.onNotification(payload)
    })
    void connection.closed.then(reconnect)
    return connection
  }

  async function reconnect(): Promise<void> {
    connecting = undefined
    while (listeners.size > 0 && !connecting) {
      await delay(RECONNECT_MS)
      await Promise.all([...listeners].map(start)).catch(() => undefined)
    }
  }

  async function start({ channel, onListening }: Listener): Promise<void> {
    connecting ??= connect().catch((err) => {
      connecting = undefined
      throw err
    })
    const connection = await connecting
    await connection.sql.unsafe(`listen ${channel}`).catch((err) => {
      // On a connection that stays open, nothing would try again.
      connection.destroy()
      throw err
    })
    onListening()
  }

  async function stop(listener: Listener): Promise<void> {
    listeners.delete(listener)
    const connection = await connecting?.catch(() => undefined)
    if (listeners.size === 0) await connection?.end()
    else if (![...listeners].some(({ channel }) => channel === listener.channel)) {
      await connection?.sql.unsafe(`unlisten ${listener.channel}`)
    }
  }

  return {
    listen: (async (channel, onNotification, onListening = () => {}) => {
      const listener = { channel, onNotification, onListening }
      await start(listener)
      listeners.add(listener)
      return { unlisten: () => stop(listener) }
    }) satisfies Listen,

    async end(): Promise<void> {
      listeners.clear()
      const connection = await connecting?.catch(() => undefined)
      await connection?.end()
    },
  }
}
