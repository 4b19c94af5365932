import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority, issue } from '../../server/test/certificates.ts'

/** Requests since the last call. `at` is in milliseconds of the machine's monotonic clock. */
export type Received = { posts: number; hits: [mark: string, at: number][] }

/** `tlsPort` has a certificate for the names of the benchmark, which this process trusts. */
export type Receiver = AsyncDisposable & { port: number; tlsPort: number; received: () => Promise<Received> }

export const RECEIVER_DOMAIN = 'bench.example'

export async function startReceiver(): Promise<Receiver> {
  const authority = createAuthority()
  setDefaultCACertificates([...getCACertificates('default'), authority.cert])
  const identity = issue(authority, [`*.${RECEIVER_DOMAIN}`])
  const child = fork(join(import.meta.dirname, 'receiver-process.ts'), [JSON.stringify(identity)])
  const ports = (await readMessage(child)) as { port: number; tlsPort: number }
  return {
    ...ports,
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
