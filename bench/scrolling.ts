import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { newId } from '../server/src/kernel/ids.ts'
import type { Benchmark, BenchmarkSetup } from './benchmark.ts'
import { pickMedianRound, quantile } from './deliver/statistics.ts'
import { startHubProcess } from './pipeline/hub-process.ts'

const ROWS = 3000
const ROUNDS = 7
const QUICK_ROUNDS = 3
const FRAMES = 150
/** A fling: more than two thirds of the visible rows are new after ten frames. */
const PIXELS_A_FRAME = 120
/** The time of a frame at 60 in a second. */
const FRAME_MS = 16.7
const ROW_HEIGHT = 36
const VIEWPORT = { width: 1440, height: 900 }
const PASSWORD = 'a password of the benchmark'
const DASHBOARD = join(import.meta.dirname, '../dashboard/dist/index.html')
const FRAME = '[data-scroll-frame]'
const PATIENCE_MS = 120_000

/** Scrolls by the same way in every frame, and returns the milliseconds between the frames. */
const SCROLL = `new Promise((resolve) => {
  const frame = document.querySelector('${FRAME}')
  const gaps = []
  let before
  frame.scrollTop = 0
  function step(now) {
    if (before !== undefined) gaps.push(now - before)
    before = now
    frame.scrollTop += ${PIXELS_A_FRAME}
    if (gaps.length < ${FRAMES}) requestAnimationFrame(step)
    else resolve(gaps)
  }
  requestAnimationFrame(step)
})`

type Measured = { p95: number; cpu: number }
type Round = { log: Measured; plain: Measured }

/** The frames of the message log of the dashboard while it is scrolled, in Chromium. */
export const scrolling: Benchmark = {
  name: 'scrolling',
  summary: `frames of the message log with ${ROWS} rows while it is scrolled, beside a table of text with as many rows`,
  async run(stand) {
    if (!existsSync(DASHBOARD)) throw new Error('Build the dashboard first: npm run build -w dashboard')
    await using hub = await startHubProcess({ ...stand, receiverPort: 9 })
    const cookie = await signUp(hub.url)
    await insertMessages(stand)
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    })
    try {
      return await compare(browser, hub.url, cookie, stand)
    } finally {
      await browser.close()
    }
  },
}

async function compare(browser: Browser, url: string, cookie: string, { isQuick, progress }: BenchmarkSetup) {
  const context = await browser.newContext({ viewport: VIEWPORT })
  context.setDefaultTimeout(PATIENCE_MS)
  await signIn(context, url, cookie)
  progress('reading the log to its end')
  const log = await openLog(context, url)
  const plain = await openPlain(context)
  const rounds: Round[] = []
  const count = isQuick ? QUICK_ROUNDS : ROUNDS
  for (let round = 1; round <= count; round++) {
    progress(`round ${round} of ${count}`)
    rounds.push({ plain: await measure(plain), log: await measure(log) })
  }
  const frames = pickMedianRound(rounds, ({ log, plain }) => log.p95 / plain.p95)
  const { log: measured, plain: baseline } = pickMedianRound(rounds, ({ log }) => log.cpu)
  const what = 'p95 of a frame of the message log, in ms'
  return [
    { what, measured: frames.log.p95, baseline: frames.plain.p95, goal: { atMost: 1.5 } },
    {
      what: 'CPU of a frame of the message log, main thread',
      value: measured.cpu,
      unit: 'ms',
      goal: { atMost: FRAME_MS },
    },
    { what: 'CPU of a frame of the table, main thread', value: baseline.cpu, unit: 'ms' },
    { remark: `${FRAMES} frames of ${PIXELS_A_FRAME} px in each of ${count} rounds` },
  ]
}

/** A page in the background draws no frames. Other work on the machine makes frames longer, and not their CPU time. */
async function measure(page: Page): Promise<Measured> {
  await page.bringToFront()
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await readTaskSeconds(devTools)
  const gaps = await page.evaluate<number[]>(SCROLL)
  const seconds = (await readTaskSeconds(devTools)) - before
  await devTools.detach()
  return { p95: quantile(gaps, 0.95), cpu: (seconds * 1000) / FRAMES }
}

async function readTaskSeconds(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

async function openLog(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/messages`)
  await page.locator('[data-row]').first().waitFor()
  const end = page.getByText('No older messages.')
  while ((await end.count()) === 0) {
    await page.locator(FRAME).evaluate((frame) => frame.scrollTo(0, frame.scrollHeight))
    await page.waitForTimeout(20)
  }
  return page
}

/** All rows are in the document, and a cell has nothing but a text. */
async function openPlain(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const cells = ['20:31:05', '↗', '+55 11 95550-0199', 'T', 'delivered', 'Padaria', '01a1f42f…9d5d']
  const row = `<tr style="height:${ROW_HEIGHT}px">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const table = `<table style="width:100%;table-layout:fixed;border-collapse:collapse">${row.repeat(ROWS)}</table>`
  await page.setContent(`<div data-scroll-frame style="height:800px;overflow:auto">${table}</div>`)
  return page
}

async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/console/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Ana', email: 'ana@example.com', password: PASSWORD, organization_name: 'Bench' }),
  })
  if (!response.ok) throw new Error(`The sign-up failed: ${await response.text()}`)
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function signIn(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
}

/** The organization that has signed up is the only one with a member. */
async function insertMessages({ sql }: BenchmarkSetup): Promise<void> {
  const [owner] = await sql<{ organization_id: string }[]>`select organization_id from memberships limit 1`
  const organizationId = owner?.organization_id ?? ''
  const channelId = newId()
  await sql`insert into channels (id, organization_id, name) values (${channelId}, ${organizationId}, 'Padaria')`
  const now = Date.now()
  const ids = Array.from({ length: ROWS }, (_, at) => newId(new Date(now - at * 1000)))
  await sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content, created_at)
    select ${organizationId}, ${channelId}, id::uuid, 'outbound', 'text', 'delivered', '5511955500199',
      '{"body":"x"}', now()
    from unnest(${ids}::text[]) id`
}
