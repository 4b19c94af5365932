import type { ExpiredClaims } from './expired-claims.ts'

export function resultJobs(expiredClaims: ExpiredClaims) {
  return [
    { name: 'finish-interrupted-attempts', everySeconds: 5, run: () => expiredClaims.finishInterrupted() },
    { name: 'finish-attempts-of-lost-workers', everySeconds: 1, run: () => expiredClaims.finishOfLostWorkers() },
  ]
}
