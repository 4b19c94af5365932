/** A reason not to run a command that the operator can fix. Its message is printed without a stack. */
export class CannotRun extends Error {
  override name = 'CannotRun'
}
