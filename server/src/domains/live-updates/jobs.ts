import type { LiveUpdates } from './service.ts'

export function liveUpdateJobs(liveUpdates: Pick<LiveUpdates, 'deleteExpired'>) {
  return [{ name: 'delete-expired-live-update-streams', everySeconds: 60, run: () => liveUpdates.deleteExpired() }]
}
