/**
 * Gives Node 22 the two classes that only newer versions have, as far as the hub uses them. What the keyword `using` needs is
 * compiled in. The programs import this first.
 */
class Stack implements Pick<DisposableStack, 'adopt' | 'defer' | 'dispose' | 'move' | 'use'> {
  #steps: (() => void)[] = []

  use<T extends Disposable | null | undefined>(value: T): T {
    if (value) this.defer(() => value[Symbol.dispose]())
    return value
  }

  adopt<T>(value: T, dispose: (value: T) => void): T {
    this.defer(() => dispose(value))
    return value
  }

  defer(step: () => void): void {
    this.#steps.push(step)
  }

  move(): DisposableStack {
    const moved = new Stack()
    moved.#steps = this.#steps.splice(0)
    return moved as unknown as DisposableStack
  }

  /** Takes every step, the last first, and throws what the first that failed has thrown. */
  dispose(): void {
    const failures: unknown[] = []
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        step()
      } catch (err) {
        failures.push(err)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

class AsyncStack implements Pick<AsyncDisposableStack, 'adopt' | 'defer' | 'disposeAsync' | 'move' | 'use'> {
  #steps: (() => unknown)[] = []

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value) this.defer(() => (Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose]()))
    return value
  }

  adopt<T>(value: T, dispose: (value: T) => unknown): T {
    this.defer(() => dispose(value))
    return value
  }

  defer(step: () => unknown): void {
    this.#steps.push(step)
  }

  move(): AsyncDisposableStack {
    const moved = new AsyncStack()
    moved.#steps = this.#steps.splice(0)
    return moved as unknown as AsyncDisposableStack
  }

  async disposeAsync(): Promise<void> {
    const failures: unknown[] = []
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (err) {
        failures.push(err)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync()
  }
}

globalThis.DisposableStack ??= Stack as unknown as DisposableStackConstructor
globalThis.AsyncDisposableStack ??= AsyncStack as unknown as AsyncDisposableStackConstructor
