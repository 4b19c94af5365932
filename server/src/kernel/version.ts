/** The version of the server's package. */
export const VERSION = '0.1.0'
