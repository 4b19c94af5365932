interface Bounds<V> {
  entriesMax: number
  /** Together the entries may weigh this much, by the measure of `weigh`. */
  weightMax?: number
  weigh?: (value: V) => number
  /** Told of each entry that was dropped for room. */
  forget?: (value: V) => void
}

/** A map that forgets its oldest entries past a cap, so a simulator left running does not grow for ever. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #bounds: Bounds<V>
  #weight = 0

  constructor(bounds: Bounds<V>) {
    super()
    this.#bounds = bounds
  }

  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    this.#weight += this.#weigh(value)
    while (this.#isOverfull()) this.#dropOldest()
    return this
  }

  override delete(key: string): boolean {
    const value = this.get(key)
    if (value !== undefined) this.#weight -= this.#weigh(value)
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#weight = 0
  }

  #dropOldest(): void {
    for (const [oldest, dropped] of this) {
      this.delete(oldest)
      this.#bounds.forget?.(dropped)
      return
    }
  }

  #isOverfull(): boolean {
    const { entriesMax, weightMax = Number.POSITIVE_INFINITY } = this.#bounds
    return this.size > entriesMax || (this.#weight > weightMax && this.size > 1)
  }

  #weigh(value: V): number {
    return this.#bounds.weigh?.(value) ?? 0
  }
}
