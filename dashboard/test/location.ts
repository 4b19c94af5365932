import type { TestContext } from 'node:test'

/** The address of the page, until the test ends. */
export function openPage(t: TestContext, origin: string): void {
  Object.defineProperty(globalThis, 'location', { configurable: true, value: { origin } })
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
}
