/** As long as usage. */
export const RETENTION_DAYS = 400
