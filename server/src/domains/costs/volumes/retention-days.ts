/** Volumes are kept as long as usage. */
export const RETENTION_DAYS = 400
