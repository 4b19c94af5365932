/** The hub's own version, the one of its package. */
export const VERSION = '0.1.0'
