import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { startHub } from '../hub.ts'
import { createChannel, createLink } from '../hub-with-upstream.ts'
import { freePort } from '../journeys/processes.ts'
import { startUpstream } from '../upstream.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
/** A slow machine: what a page does takes so many times as long, and each response comes up to half a second late. */
const SLOWNESS = Number(process.env.SLOW_PAGES ?? 1)
const LATE_MAX_MS = 500
const PATIENCE_MS = 15_000 * SLOWNESS

let running: Promise<Browser> | undefined

/** One browser for a file of tests. Each person has a browser context. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...FLAGS, '--disable-component-update', '--disable-sync'],
  })
  return running
}
after(async () => (await running)?.close())

/** A person's own browser: its cookies and its storage end with the test. */
export async function openBrowser(t: TestContext, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await browser()).newContext({ locale: 'en-US', timezoneId: 'America/Sao_Paulo', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  t.after(() => context.close())
  if (SLOWNESS > 1) await slowDown(context)
  return context
}

async function slowDown(context: BrowserContext): Promise<void> {
  context.on('page', async (page) => {
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
  })
  await context.route('**', async (route) => {
    await setTimeout(Math.random() * LATE_MAX_MS)
    // The page may be gone by now.
    await route.fallback().catch(() => {})
  })
}

/** Opens a page in a new browser, and collects what goes wrong in it and which hosts it asks. */
export async function openPage(t: TestContext, url: string, options: BrowserContextOptions = {}) {
  const context = await openBrowser(t, options)
  const seen = { problems: [] as string[], hosts: new Set<string>() }
  context.on('request', (request) => void seen.hosts.add(new URL(request.url()).origin))
  context.on('weberror', (error) => void seen.problems.push(String(error.error())))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.problems.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(url)
  return { page, seen }
}

/**
 * Waits until an expression is true in the page. The browser itself evaluates it: the policy of the page forbids its scripts to
 * do that, and `waitForFunction` asks them from the second time on.
 */
export function untilTrue(page: Page, expression: string): Promise<void> {
  return until(() => page.evaluate<boolean>(expression), expression)
}

/** Waits until a locator finds so many: a list may show another state in between. */
export function untilCount(locator: Locator, count: number): Promise<void> {
  return until(async () => (await locator.count()) === count, `${count} of ${locator}`)
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Not true in time: ${what}`)
    await setTimeout(50)
  }
}

export type BrowserFixture = Awaited<ReturnType<typeof startBrowserFixture>>

/** A hub with its own origin, a simulator, and a channel without a number. */
export async function startBrowserFixture(
  t: TestContext,
  env: Record<string, string> = {},
  options: Pick<NonNullable<Parameters<typeof startHub>[1]>, 'installation'> = {},
) {
  const up = await startUpstream(t)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const hub = await startHub(t, {
    simulator: up.simulator,
    env: { PORT: String(port), PUBLIC_URL: origin, ...env },
    ...options,
  })
  const acme = await hub.organization()
  const { id } = await createChannel(acme, { name: 'Padaria São João <Centro>' })
  const token = await createLink(acme, id)

  /** Opens a page of the hub in a new browser context. */
  function visit(path = `/connect/${token}`, options: BrowserContextOptions = {}) {
    return openPage(t, origin + path, options)
  }

  return { up, hub, acme, id, token, origin, visit, channel: () => channelOf(acme, id) }
}

async function channelOf(acme: Awaited<ReturnType<Awaited<ReturnType<typeof startHub>>['organization']>>, id: string) {
  return (await acme.get(`/api/v1/channels/${id}`)).body.data.channel
}

/** No errors or policy violations in the browser, and no requests to other hosts. */
export function assertNoProblems(
  { origin, up }: { origin: string; up?: { simulator: { url: string } } },
  seen: { problems: string[]; hosts: Set<string> },
): void {
  // The browser logs every failed response, even those that the page expects.
  const own = seen.problems.filter((text) => !text.startsWith('Failed to load resource: the server responded with'))
  assert.deepEqual(own, [])
  const expected = [origin, up && new URL(up.simulator.url).origin, 'null']
  const otherHosts = [...seen.hosts].filter((host) => !expected.includes(host))
  assert.deepEqual(otherHosts, [])
}

/** Opens the sign-up and completes it with the given number and outcome. */
export async function signUp(page: Page, choices: { number?: string; outcome?: string } = {}): Promise<void> {
  const opening = page.waitForEvent('popup')
  await page.locator('#start').click()
  const popup = await opening
  if (choices.number) await popup.locator(`input[name=number][value="${choices.number}"]`).check()
  if (choices.outcome) await popup.locator(`input[name=outcome][value="${choices.outcome}"]`).check()
  const closed = popup.waitForEvent('close')
  await popup.locator('button[type=submit]').click()
  await closed
}

/** The contrast between the text of an element and its background, as WCAG defines it. */
const CONTRAST = `(selector) => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const element = document.querySelector(selector)
  let ground = element
  while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement
  const pair = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor].map(luminance)
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)
}`

/** The selectors whose text has too little contrast. */
export async function findUnreadable(page: Page, places: readonly string[]): Promise<string[]> {
  const unreadable: string[] = []
  // The document of a sent form is there before its stylesheet.
  await page.waitForLoadState()
  for (const place of places) {
    if (!(Number(await page.evaluate(`(${CONTRAST})('${place}')`)) >= 4.5)) unreadable.push(place)
  }
  return unreadable
}

/** Searches in the palette. It is loaded when it opens first: what is typed before would be lost. */
export async function searchPalette(page: Page, text: string): Promise<void> {
  const field = page.getByRole('combobox')
  if ((await field.count()) === 0) await page.keyboard.press('ControlOrMeta+k')
  await field.fill(text)
}
