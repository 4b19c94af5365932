import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Requests since the last call. `at` is in milliseconds of the machine's monotonic clock. */
export type Received = { posts: number; hits: [mark: string, at: number][] }

export type Receiver = AsyncDisposable & { port: number; received: () => Promise<Received> }

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver-process.ts'))
  const { port } = (await readMessage(child)) as { port: number }
  return {
    port,
    async received() {
      const answer = readMessage(child)
      child.send('received')
      return (await answer) as Received
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function readMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message')
  return message
}
