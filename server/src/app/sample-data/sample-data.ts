import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { parseRateCards, type RateCards } from '../../domains/costs/rates/rate-card.ts'
import { hasAccount, isUnused } from '../../domains/organizations/setup/service.ts'
import { withMovedClock } from '../../kernel/db/moved-clock.ts'
import { createLogger } from '../../kernel/logger.ts'
import type { Config } from '../config/config.ts'
import { startHub } from '../hub.ts'
import { CannotStart, type Installation } from '../installation.ts'
import { buildWorldPath, startSandbox } from '../sandbox.ts'
import { OWNER } from './cast.ts'
import { createChance } from './chance.ts'
import { DAYS, passFortnight } from './fortnight.ts'
import { createReceivers, lookupSample } from './receivers.ts'
import { setUpCompany } from './setting-up.ts'
import { createScene } from './stage.ts'

const DAY_MS = 86_400_000
/** The first morning in Brazil. */
const FIRST_HOUR_MS = 10.5 * 3_600_000

/** All that becomes of a message arrives in one callback instead of three, which makes the data in half the time. */
const TIMINGS = { templateReviewMs: null, sentMs: 400, deliveredMs: 1_500, readMs: 4_500, webhookBatchMs: 5_000 }

/** In reais, close to the real prices. A file of COSTS_FILE goes before it. */
const RATES = { marketing: '0.36', utility: '0.05', authentication: '0.18', service: '0' }

export function buildSampleRateCards(): RateCards {
  const rates = Object.entries(RATES).map(([category, amount]) => ({ country: '*', category, amount }))
  return parseRateCards(JSON.stringify([{ currency: 'BRL', valid_from: '2020-01-01', rates }]))
}

export const SAMPLE_DATA = '--sample-data'

/** Undefined if an earlier start has made the data: its password was shown then, and is not kept. */
export type SampleAccount = { email: string; password: string | undefined }

/** Before anything is opened. */
export function requireSandbox({ upstream, role, billing }: Config): void {
  if (!upstream.url && role === 'all' && billing !== 'stripe') return
  throw new CannotStart(`${SAMPLE_DATA} works in the sandbox only: leave UPSTREAM_URL, ROLE and BILLING out`)
}

/**
 * Fills an empty installation with two weeks of an agency's life, in which a hub of its own lives through them: with the clock of
 * the database moved, and the simulator's. So every number agrees with every other, as after two real weeks. Nothing else uses the
 * database meanwhile, and nobody reaches that hub.
 */
export async function makeSampleData(config: Config, installation: Installation): Promise<SampleAccount> {
  const { sql } = installation
  if (await hasAccount(sql, OWNER.email)) return { email: OWNER.email, password: undefined }
  if (!(await isUnused(sql))) {
    throw new CannotStart(
      `${SAMPLE_DATA} needs an empty installation, and ${installation.location} has an organization or an account. Start without it, or set DATA_DIR to a new directory`,
    )
  }
  const password = randomBytes(9).toString('base64url')
  await withMovedClock(sql, async (clock) => {
    const endAt = new Date()
    const startAt = new Date(Math.floor(endAt.getTime() / DAY_MS - DAYS) * DAY_MS + FIRST_HOUR_MS)
    await clock.moveTo(startAt)
    const chance = createChance()
    const receivers = createReceivers({ now: clock.now, chance })
    const hidden = {
      ...config,
      host: '127.0.0.1',
      port: 0,
      simulatorPort: 0,
      drainSeconds: 0,
      signUp: 'open' as const,
      mail: undefined,
    }
    // A start that was interrupted leaves a part of the data there, also where its database was deleted.
    await rm(buildWorldPath(config), { force: true })
    await using sandbox = await startSandbox(hidden, installation.upstream, installation.payments, {
      clock: 'manual',
      now: startAt,
      timings: TIMINGS,
    })
    const { settings: upstream, payments, control } = sandbox
    if (!control) throw new Error('The sample data needs the simulator')
    const hub = await startHub(
      hidden,
      { ...installation, upstream, payments, simulator: control },
      {
        logger: createLogger('error'),
        now: clock.now,
        isDelivering: false,
        hasTimers: false,
        lookup: lookupSample,
        sender: receivers,
      },
    )
    try {
      await sandbox.callBack(hub.url)
      const scene = createScene({ hub, clock, control, startAt })
      const account = { password, publicUrl: config.publicUrl, sellsPlans: config.billing === 'sandbox' }
      const company = await setUpCompany(scene, account)
      await passFortnight({ scene, company, chance, receivers, endAt })
    } finally {
      await hub.stop()
    }
  })
  return { email: OWNER.email, password }
}
