/** A command did a part of its work. Its result is printed as any, beside the sentence. */
export class IncompleteError extends Error {
  override name = 'IncompleteError'
  readonly result: unknown

  constructor(sentence: string, result: unknown) {
    super(sentence)
    this.result = result
  }
}

/** The arguments of a command are invalid, and nothing was done. */
export class UsageError extends Error {
  override name = 'UsageError'
}
