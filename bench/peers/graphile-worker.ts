import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { PEER_CONCURRENCY, type Peer, type PeerJob, type PeerWork } from './peer.ts'

const SILENT = new Logger(() => () => undefined)
const FILL_BATCH = 1000
/** Jobs are fetched and completed in batches, as its documentation recommends for many short jobs. */
const BATCHING = { localQueue: { size: 500 }, completeJobBatchDelay: 20, failJobBatchDelay: 20 }

export async function startGraphile(databaseUrl: string, work: PeerWork): Promise<Peer> {
  const options = { connectionString: databaseUrl, maxPoolSize: 20, logger: SILENT }
  const utils = await makeWorkerUtils(options)
  await utils.migrate()
  return {
    name: 'graphile-worker',

    async fill(jobs) {
      for (let from = 0; from < jobs.length; from += FILL_BATCH) {
        const batch = jobs.slice(from, from + FILL_BATCH)
        await utils.addJobs(batch.map((payload) => ({ identifier: 'deliver', payload })))
      }
    },

    async drain(count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let left = count
      const deliver = async (payload: unknown) => {
        await work.deliver(payload as PeerJob).catch(reject)
        if (--left === 0) resolve()
      }
      const runner = await run({
        ...options,
        concurrency: PEER_CONCURRENCY,
        noHandleSignals: true,
        taskList: { deliver },
        preset: { worker: BATCHING },
      })
      await promise
      await runner.stop()
    },

    async [Symbol.asyncDispose]() {
      await utils.release()
    },
  }
}
