/**
 * The time, for ids and signatures. A hub has that of its database
 * (`db/database-clock.ts`), so that processes with differing clocks agree; what is
 * stored or compared in the database uses the database's own `hub_now()`.
 */
export type Clock = () => Date

/** The process's time, for one-time codes: the phone that shows them knows nothing of the database. */
export const systemClock: Clock = () => new Date()
