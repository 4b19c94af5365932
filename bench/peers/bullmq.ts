import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { readCpuMicros } from '../cpu.ts'
import { PEER_CONCURRENCY, type Peer, type PeerJob, type PeerWork } from './peer.ts'

const QUEUE = 'deliver'
const FILL_BATCH = 1000
const TRIES = 100
const TRY_EVERY_MS = 50

/** Undefined if this machine has no `redis-server`. Redis writes to the disk, as the database does. */
export async function startBullmq(work: PeerWork): Promise<Peer | undefined> {
  const redis = await startRedis()
  if (!redis) return undefined
  const connection = { path: redis.path, maxRetriesPerRequest: null }
  const queue = new Queue(QUEUE, { connection })
  return {
    name: 'BullMQ',
    readServerCpu: () => readCpuMicros(redis.pid),

    async fill(jobs) {
      for (let from = 0; from < jobs.length; from += FILL_BATCH) {
        const batch = jobs.slice(from, from + FILL_BATCH)
        await queue.addBulk(batch.map((data) => ({ name: QUEUE, data, opts: { removeOnComplete: true } })))
      }
    },

    async drain(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let left = count
      const deliver = ({ data }: { data: PeerJob }) => work.deliver(data)
      const worker = new Worker<PeerJob>(QUEUE, deliver, { connection, concurrency: PEER_CONCURRENCY })
      worker.on('completed', () => {
        if (--left === 0) resolve()
      })
      await promise
      await worker.close()
    },

    async [Symbol.asyncDispose]() {
      await queue.close()
      await redis.stop()
    },
  }
}

async function startRedis() {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-bench-redis-'))
  const path = join(directory, 'redis.sock')
  const options = ['--port', '0', '--unixsocket', path, '--dir', directory, '--appendonly', 'yes', '--save', '']
  const child = spawn('redis-server', options, { stdio: 'ignore' })
  const kill = () => void child.kill('SIGTERM')
  process.once('exit', kill)
  const isThere = await once(child, 'spawn').then(
    () => answers(path),
    () => false,
  )
  async function stop(): Promise<void> {
    if (child.pid !== undefined && child.exitCode === null) {
      kill()
      await once(child, 'exit')
    }
    process.off('exit', kill)
    await rm(directory, { recursive: true, force: true })
  }
  if (isThere && child.pid !== undefined) return { path, pid: child.pid, stop }
  await stop()
  return undefined
}

async function answers(path: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const socket = connect(path)
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return true
    await delay(TRY_EVERY_MS)
  }
  return false
}
