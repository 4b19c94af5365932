/** The words of a command are off: nothing was done. */
export class UsageError extends Error {
  override name = 'UsageError'
}
