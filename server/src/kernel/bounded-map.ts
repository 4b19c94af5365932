/** A cache of at most `entriesMax` entries: beyond that, it drops the entry that was set longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #entriesMax: number

  constructor(entriesMax: number) {
    super()
    this.#entriesMax = entriesMax
  }

  override set(key: Key, value: Value): this {
    // A map lists a key where it was first set, so the key moves to the end by being deleted.
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#entriesMax) this.#deleteOldest()
    return this
  }

  #deleteOldest(): void {
    for (const oldest of this.keys()) {
      this.delete(oldest)
      return
    }
  }
}
