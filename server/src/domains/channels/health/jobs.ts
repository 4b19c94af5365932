import type { Health } from './service.ts'

export function healthJobs(health: Health) {
  return [
    { name: 'check-channels', everySeconds: 60, run: () => health.checkDue() },
    { name: 'archive-abandoned-channels', everySeconds: 600, run: () => health.archiveAbandoned() },
  ]
}
