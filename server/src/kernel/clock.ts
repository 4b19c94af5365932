/**
 * The process's time, for ids, cookies and one-time codes. What is stored or
 * compared in the database uses the database's own `hub_now()`, so that
 * processes with differing clocks agree.
 */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
