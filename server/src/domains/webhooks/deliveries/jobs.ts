import type { Upkeep } from './upkeep-service.ts'

export function deliveryJobs(upkeep: Upkeep) {
  return [
    { name: 'end-interrupted-attempts', everySeconds: 5, run: () => upkeep.endInterrupted() },
    { name: 'clear-canceled-deliveries', everySeconds: 5, run: () => upkeep.clearCanceled() },
    {
      name: 'clear-all-canceled-deliveries',
      everySeconds: 3600,
      runsAtStart: true as const,
      run: () => upkeep.clearCanceled({ isThorough: true }),
    },
    { name: 'remove-deleted-endpoints', everySeconds: 10, run: () => upkeep.removeDeleted() },
  ]
}
