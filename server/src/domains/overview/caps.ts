/** Counts and lists stop here, so that a request reads a bounded number of rows. A page then says `1,000+`. */
export const QUEUED_MAX = 1000
export const HELD_MAX = 100
export const UNKNOWN_SENDS_MAX = 1000
/** The list of what needs attention has so many of each kind. */
export const ATTENTION_MAX = 50
