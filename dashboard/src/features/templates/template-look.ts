import type { StatusName } from '../../ui/data/status.tsx'

const LOOKS: Record<string, StatusName> = {
  APPROVED: 'active',
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  REJECTED: 'rejected',
  PAUSED: 'paused',
  DISABLED: 'disabled',
  PENDING_DELETION: 'disabled',
}

/** The look of a status of the upstream, whose word stays as it is. */
export function toLook(status: string): StatusName {
  return LOOKS[status] ?? 'unknown'
}
