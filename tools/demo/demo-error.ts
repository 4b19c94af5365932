/** A step that failed. Its message is printed without a stack. */
export class DemoError extends Error {
  override name = 'DemoError'
}
