import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, GONE, valueAt } from './change.ts'
import { EXAMPLES, type ExampleName } from './examples.ts'
import { judge } from './judge.ts'

/** An example, a place in it, and what is put there; the issue is at that place unless another is named. */
export type Refusal = [example: ExampleName, place: string, value: unknown, issueAt?: string]
export type Bounds = [example: ExampleName, place: string, min: number, max: number]

/** Two UTF-16 units and one code point, which is one character wherever a length is counted. */
const BREAD = '🍞'

/** Accepted, and as it was sent: nothing is coerced, dropped or filled in. */
export async function assertAccepted(body: unknown, what: string): Promise<void> {
  assert.deepEqual(await judge(body), { issues: [], body }, what)
}

export async function assertRefused(body: unknown, path: string, what: string): Promise<void> {
  const { issues } = await judge(body)
  assert.deepEqual(
    issues.map((issue) => issue.path),
    [path],
    `${what}: ${JSON.stringify(issues)}`,
  )
  assert.match(issues[0]?.message ?? '', /^(?:must|is) \S/, what)
}

export function testAcceptances(what: string, acceptances: [ExampleName, place: string, value: unknown][]): void {
  test(`${what} is accepted`, async () => {
    for (const [example, place, value] of acceptances) {
      await assertAccepted(
        changed(EXAMPLES[example], place, value),
        `${example} with ${place} ${JSON.stringify(value)}`,
      )
    }
  })
}

export function testRefusals(what: string, refusals: Refusal[]): void {
  test(`${what} is refused at its own place, in one issue`, async () => {
    for (const [example, place, value, issueAt = place] of refusals) {
      const named = value === GONE ? 'gone' : JSON.stringify(value)
      await assertRefused(changed(EXAMPLES[example], place, value), issueAt, `${example} with ${place} ${named}`)
    }
  })
}

export function testRequired(what: string, places: [example: ExampleName, place: string][]): void {
  test(`${what} cannot do without any of its required members`, async () => {
    for (const [example, place] of places) {
      assert.notEqual(valueAt(EXAMPLES[example], place), undefined, `${example} has ${place}`)
      await assertRefused(changed(EXAMPLES[example], place, GONE), place, `${example} without ${place}`)
      await assertRefused(changed(EXAMPLES[example], place, null), place, `${example} with ${place} null`)
    }
  })
}

/** Text of the least and the greatest length passes, and one character less or more does not. */
export function testLengths(what: string, bounds: Bounds[]): void {
  test(`${what} keeps to the lengths of its texts, counted in characters`, async () => {
    await assertEdges(bounds, (length) => BREAD.repeat(length))
    for (const [example, place] of bounds) {
      await assertRefused(changed(EXAMPLES[example], place, 7), place, `${example} with ${place} 7`)
    }
  })
}

export function testNumbers(what: string, bounds: Bounds[]): void {
  test(`${what} keeps to the ranges of its numbers`, () => assertEdges(bounds, (number) => number))
}

export function testCounts(what: string, bounds: [...Bounds, item: (index: number) => unknown][]): void {
  test(`${what} keeps to the counts of its lists`, async () => {
    for (const [example, place, min, max, item] of bounds) {
      await assertEdges([[example, place, min, max]], (length) => Array.from({ length }, (_none, index) => item(index)))
      await assertRefused(changed(EXAMPLES[example], place, {}), place, `${example} with ${place} {}`)
    }
  })
}

async function assertEdges(bounds: Bounds[], make: (size: number) => unknown): Promise<void> {
  for (const [example, place, min, max] of bounds) {
    const put = (size: number) => changed(EXAMPLES[example], place, make(size))
    for (const size of [min, max]) await assertAccepted(put(size), `${example} with ${place} of ${size}`)
    await assertRefused(put(max + 1), place, `${example} with ${place} of ${max + 1}`)
    if (min > 0) await assertRefused(put(min - 1), place, `${example} with ${place} of ${min - 1}`)
  }
}
