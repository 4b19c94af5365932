import type { Counts } from './service.ts'

/** Folded often: what is not folded yet is added up by every request for figures. */
export function countJobs(counts: Counts) {
  return [
    { name: 'fold-statistics', everySeconds: 10, run: () => counts.fold() },
    { name: 'delete-old-statistics', everySeconds: 3600, run: () => counts.deleteOld() },
  ]
}
