import { PgBoss } from 'pg-boss'
import type { Peer, PeerJob, PeerWork } from './peer.ts'

const QUEUE = 'deliver'
const FILL_BATCH = 1000
const WORKERS = 4
/** Fetched in batches, completed one by one; a worker fetches again at once after a full batch. */
const BATCHING = {
  batchSize: 250,
  localConcurrency: WORKERS,
  pollingIntervalSeconds: 0.5,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

export async function startPgBoss(databaseUrl: string, work: PeerWork): Promise<Peer> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 20, supervise: false })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue(QUEUE)
  return {
    name: 'pg-boss',

    async fill(jobs) {
      for (let from = 0; from < jobs.length; from += FILL_BATCH) {
        await boss.insert(
          QUEUE,
          jobs.slice(from, from + FILL_BATCH).map((data) => ({ data })),
        )
      }
    },

    async drain(count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let left = count
      await boss.work<PeerJob>(QUEUE, BATCHING, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => work.deliver(data))).catch(reject)
        left -= jobs.length
        if (left === 0) resolve()
        return jobs.map(({ id }) => ({ id, status: 'completed' as const }))
      })
      await promise
      await boss.offWork(QUEUE, { wait: true })
    },

    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false })
    },
  }
}
