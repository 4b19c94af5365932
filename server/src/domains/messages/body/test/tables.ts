import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed, GONE, valueAt } from './change.ts'
import { EXAMPLES, type ExampleName } from './examples.ts'
import { judge } from './judge.ts'

/** An example, a JSON pointer into it and the value to put there; the issue is at that pointer unless another is given. */
export type Refusal = [example: ExampleName, place: string, value: unknown, issueAt?: string]
export type Bounds = [example: ExampleName, place: string, min: number, max: number]

/** Two UTF-16 units and one code point; lengths count it as one character. */
const BREAD = '🍞'

/** Asserts that the body is accepted unchanged: no member is coerced, dropped or added. */
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
  test(`${what} is refused with one issue at its path`, async () => {
    for (const [example, place, value, issueAt = place] of refusals) {
      const named = value === GONE ? 'gone' : JSON.stringify(value)
      await assertRefused(changed(EXAMPLES[example], place, value), issueAt, `${example} with ${place} ${named}`)
    }
  })
}

export function testRequired(what: string, places: [example: ExampleName, place: string][]): void {
  test(`${what} without a required member is refused`, async () => {
    for (const [example, place] of places) {
      assert.notEqual(valueAt(EXAMPLES[example], place), undefined, `${example} has ${place}`)
      await assertRefused(changed(EXAMPLES[example], place, GONE), place, `${example} without ${place}`)
      await assertRefused(changed(EXAMPLES[example], place, null), place, `${example} with ${place} null`)
    }
  })
}

/** Tests both bounds of each text's length, and one character beyond each. */
export function testLengths(what: string, bounds: Bounds[]): void {
  test(`${what} has texts within their lengths, counted in characters`, async () => {
    await assertEdges(bounds, (length) => BREAD.repeat(length))
    for (const [example, place] of bounds) {
      await assertRefused(changed(EXAMPLES[example], place, 7), place, `${example} with ${place} 7`)
    }
  })
}

export function testNumbers(what: string, bounds: Bounds[]): void {
  test(`${what} has numbers within their ranges`, () => assertEdges(bounds, (number) => number))
}

export function testCounts(what: string, bounds: [...Bounds, item: (index: number) => unknown][]): void {
  test(`${what} has lists within their lengths`, async () => {
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
