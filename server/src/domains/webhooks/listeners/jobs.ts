import type { Listeners } from './service.ts'

export function listenerJobs(listeners: Pick<Listeners, 'clearEnded'>) {
  return [{ name: 'clear-ended-listeners', everySeconds: 5, run: () => listeners.clearEnded() }]
}
