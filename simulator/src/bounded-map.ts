interface Bounds<V> {
  entriesMax: number
  /** The largest sum of `weigh` over all entries. */
  weightMax?: number
  weigh?: (value: V) => number
  /** Called with each evicted entry. */
  forget?: (value: V) => void
}

/** A map that evicts its oldest entries, so that a long-running simulator has bounded memory. */
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
