import type { Status } from '../plans/entitlement.ts'

/** Those in which somebody pays, or is asked to: usage is counted by what is paid for. */
const PAID: readonly Status[] = ['active', 'past_due', 'suspended']

export type Period = { start: string; end: string }

/** The subscription's period where there is one, else the calendar month in UTC. */
export function usagePeriod(
  subscription: { status: Status; period_start: string | null; current_period_end: string | null } | undefined,
  now: Date,
): Period {
  const { status, period_start: start, current_period_end: end } = subscription ?? { status: 'none' as const }
  if (start && end && PAID.includes(status)) return { start, end }
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return {
    start: new Date(Date.UTC(year, month)).toISOString(),
    end: new Date(Date.UTC(year, month + 1)).toISOString(),
  }
}
