/** The arguments of a command are invalid, and nothing was done. */
export class UsageError extends Error {
  override name = 'UsageError'
}
