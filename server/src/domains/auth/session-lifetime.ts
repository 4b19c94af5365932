/** From the last use of a session to its end. */
export const SESSION_LIFE_SECONDS = 30 * 24 * 3600
