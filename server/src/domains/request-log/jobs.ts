import type { RequestLog } from './service.ts'

/** What a process loses at a kill is what it has not written yet. */
export function requestLogJobs(requestLog: RequestLog) {
  return [
    { name: 'write-request-log', everySeconds: 1, runsInEveryRole: true as const, run: () => requestLog.flush() },
    { name: 'delete-old-requests', everySeconds: 3600, run: () => requestLog.deleteOld() },
  ]
}
