import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { BrowserFixture } from './browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Person = { cookie: string }

/** Opens a page of the dashboard in a browser of its own, in which the person is signed in. */
export async function visitAs(
  fixture: BrowserFixture,
  person: Person,
  path: string,
  options: BrowserContextOptions = {},
): ReturnType<BrowserFixture['visit']> {
  const [name = '', value = ''] = person.cookie.split('=')
  const place = { domain: new URL(fixture.origin).hostname, path: '/', expires: -1 }
  const cookie = { name, value, ...place, httpOnly: true, secure: false, sameSite: 'Lax' as const }
  return fixture.visit(path, { ...options, storageState: { cookies: [cookie], origins: [] } })
}

type Violation = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }

/** Colors are what they are once everything has appeared. What turns for as long as something loads does not end. */
const APPEARED = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished)).then(() => undefined)`

/** Lists what axe-core calls serious or critical on the page as it stands, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(APPEARED)
  await page.evaluate(AXE)
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

export async function assertNoBarriers(page: Page, what: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], what)
}
