import { readConfig } from '../server/src/app/config/config.ts'
import { toSandboxSettings } from '../server/src/app/config/upstream-settings.ts'
import { type Hub, startHub } from '../server/src/app/hub.ts'
import type { Installation } from '../server/src/app/installation.ts'
import { OPERATOR } from '../server/src/domains/audit/initiator.ts'
import { SCOPES } from '../server/src/domains/auth/scopes.ts'
import { createLogger } from '../server/src/kernel/logger.ts'
import { APP } from './app.ts'
import type { BenchmarkSetup } from './benchmark.ts'
import type { SeededNumber } from './simulated-upstream.ts'

const CHANNELS_PER_ORGANIZATION = 5

export type BenchChannel = { organizationId: string; id: string; key: string; number: SeededNumber }

type HubOptions = { env?: Record<string, string>; role?: 'all' | 'api'; isDelivering?: boolean }

/** A whole hub on the benchmark's database, with the given upstream and without logs. */
export async function openHub(
  { sql, keyRing }: Pick<BenchmarkSetup, 'sql' | 'keyRing'>,
  upstreamUrl?: string,
  { env = {}, role = 'all', isDelivering = true }: HubOptions = {},
): Promise<Hub> {
  const config = { ...readConfig({ PORT: '0', BILLING: 'off', ...env }), role }
  const installation: Installation = {
    sql,
    keyRing,
    keyFile: undefined,
    location: 'bench',
    applied: [],
    upstream: toSandboxSettings(config, APP, upstreamUrl),
    async [Symbol.asyncDispose]() {},
  }
  return startHub(config, installation, { logger: createLogger('silent'), isDelivering })
}

/** Connects a channel for each number, five per organization. */
export async function connectChannels({ context }: Hub, numbers: SeededNumber[]): Promise<BenchChannel[]> {
  const channels: BenchChannel[] = []
  for (let i = 0; i < numbers.length; i += CHANNELS_PER_ORGANIZATION) {
    const owner = await openOrganization(context)
    for (const number of numbers.slice(i, i + CHANNELS_PER_ORGANIZATION)) {
      const id = await connectChannel(context, owner.organizationId, number)
      channels.push({ ...owner, id, number })
    }
  }
  return channels
}

export async function openOrganization({ sql, organizations, apiKeys }: Hub['context']) {
  return sql.begin(async (tx) => {
    const { id: organizationId } = await organizations.create(tx, { name: 'Bench', initiator: OPERATOR })
    const key = { organizationId, initiator: OPERATOR, name: 'bench', scopes: [...SCOPES], expiresAt: null }
    return { organizationId, key: (await apiKeys.issue(tx, key)).token }
  })
}

export async function connectChannel(
  { sql, channels, connections }: Hub['context'],
  organizationId: string,
  n: SeededNumber,
) {
  const principal = { organizationId, scopes: SCOPES, initiator: OPERATOR, channelId: null, session: null }
  const { channel } = await channels.create(principal, { name: 'Bench' })
  const { phoneNumberId, wabaId, accessToken, display: displayPhoneNumber } = n
  const facts = { displayPhoneNumber, verifiedName: 'Bench', qualityRating: 'GREEN', throughputLevel: null }
  const connection = { ...facts, phoneNumberId, wabaId, accessToken, coexistence: false }
  await sql.begin((tx) => connections.establish(tx, { organizationId, id: channel.id }, connection, OPERATOR))
  return channel.id
}
