import type { EventKind } from '../../events/catalog.ts'

/** An event that matches more endpoints than this has its fan-out deferred. */
export const FAN_OUT_AT_ONCE_MAX = 50

/** The fan-out of these kinds is always deferred: they come in great numbers, and none is urgent. */
export const DEFERRED_KINDS: EventKind[] = ['history.message']

/** Deliveries that a step of a deferred fan-out makes. */
export const STEP_MAX = 200

/** A deferred fan-out waits while its organization has this many deliveries due and not attempted. */
export const DUE_MAX = 1000

/**
 * One endpoint counts for at most this many of these. A receiver that is slow to answer keeps many due, and must not delay the
 * organization's other endpoints; fifty of them together may.
 */
export const DUE_PER_ENDPOINT_MAX = DUE_MAX / FAN_OUT_AT_ONCE_MAX
