import type { DeliveryRetention } from './service.ts'

export function retentionJobs(retention: DeliveryRetention) {
  return [
    { name: 'clear-canceled-deliveries', everySeconds: 5, run: () => retention.clearCanceled() },
    {
      name: 'clear-all-canceled-deliveries',
      everySeconds: 3600,
      runsAtStart: true as const,
      run: () => retention.clearCanceled({ searchesAllEndpoints: true }),
    },
    { name: 'remove-deleted-endpoints', everySeconds: 10, run: () => retention.removeDeleted() },
  ]
}
