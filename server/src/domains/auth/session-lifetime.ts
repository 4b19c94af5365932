/** A session ends this long after it was last used. */
export const SESSION_LIFE_SECONDS = 30 * 24 * 3600
