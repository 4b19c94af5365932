import type { ErasureWorker } from './worker.ts'

export function erasureJobs(worker: ErasureWorker) {
  return [{ name: 'erase-people', everySeconds: 5, run: () => worker.runAll() }]
}
