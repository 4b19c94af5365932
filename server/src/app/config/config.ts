import { resolve } from 'node:path'
import { DELIVERY_DAYS_MAX } from '../../domains/webhooks/retention/retention-days.ts'
import { type KeyRing, parseKeyRing } from '../../kernel/crypto/key-ring.ts'
import { parseDatabaseUrl } from '../../kernel/db/connection-url.ts'
import { createEnvReader, type EnvReader } from '../../kernel/env.ts'
import { LOG_FORMATS, LOG_LEVELS } from '../../kernel/logger.ts'
import { getHostName, isLoopbackHost, parseCidr, parseOrigin } from '../../kernel/net/addresses.ts'
import { type AllowedDestination, parseAllowedDestination } from '../../kernel/net/allowed-destinations.ts'
import { isForbiddenBlock } from '../../kernel/net/forbidden-address.ts'
import { readMailSettings } from './mail-settings.ts'

const ROLES = ['all', 'api', 'worker', 'callbacks'] as const
const PREFIXES = ['UPSTREAM_', 'WEBHOOK_', 'SEALING_', 'RETENTION_', 'STRIPE_', 'GRAPH_', 'MAX_', 'COSTS_']
const PORTS = { min: 0, max: 65_535 }
const DAYS = { min: 1, max: 3650 }
const PER_ORGANIZATION = { min: 1, max: 1_000_000 }
/** The mark that the tokens of a cell begin with; empty without one. */
const CELL = /^([0-9A-Za-z]{4})?$/
/** A load balancer that checks every few seconds notices within this time. In the sandbox there is none. */
const DRAIN_SECONDS = 5

export type Config = ReturnType<typeof readConfig>
type Env = Record<string, string | undefined>

/** Parses the variables into one frozen value. Pure: it reads only its argument. */
export function readConfig(env: Env) {
  const read = createEnvReader(env)
  const port = read.integer('PORT', 8080, PORTS)
  const publicUrl = read.url('PUBLIC_URL', ['http:', 'https:']) ?? new URL(`http://localhost:${port}`)
  const upstream = readUpstream(read)
  const role = read.oneOf('ROLE', ROLES, 'all')
  // A sandbox that others can reach is for those to whom its operator gives the setup code.
  const isOpenByDefault = upstream.url !== undefined || isLoopbackHost(publicUrl.hostname)
  const config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: publicUrl.href.replace(/\/+$/, ''),
    graphUrl: readGraphUrl(read, publicUrl, { isSandbox: !upstream.url }),
    graphQueryTokens: read.oneOf('GRAPH_QUERY_TOKENS', ['on', 'off'], 'on'),
    databaseUrl: readDatabaseUrl(read, 'DATABASE_URL'),
    databaseDirectUrl: readDatabaseUrl(read, 'DATABASE_DIRECT_URL'),
    dataDir: resolve(read.text('DATA_DIR') ?? 'data'),
    role,
    sealingKeys: readSealingKeys(read),
    upstream,
    simulatorPort: read.integer('SIMULATOR_PORT', nextPort(port), PORTS),
    billing: read.oneOf('BILLING', ['off', 'sandbox', 'stripe'], upstream.url ? 'off' : 'sandbox'),
    stripe: {
      secretKey: read.text('STRIPE_SECRET_KEY'),
      webhookSecret: read.text('STRIPE_WEBHOOK_SECRET'),
      url: read.url('STRIPE_URL', ['http:', 'https:'])?.href,
    },
    webhookAllowedDestinations: readAllowedDestinations(read),
    mail: readMailSettings(read),
    signUp: read.oneOf('SIGN_UP', ['open', 'closed'], isOpenByDefault ? 'open' : 'closed'),
    trustedProxies: readTrustedProxies(read),
    retentionEventsDays: read.integer('RETENTION_EVENTS_DAYS', 30, { ...DAYS, min: DELIVERY_DAYS_MAX }),
    retentionMessagesDays: read.integer('RETENTION_MESSAGES_DAYS', 90, DAYS),
    retentionAuditDays: read.integer('RETENTION_AUDIT_DAYS', 365, DAYS),
    pendingChannelDays: read.integer('PENDING_CHANNEL_DAYS', 7, DAYS),
    maxChannels: read.integer('MAX_CHANNELS', 10_000, PER_ORGANIZATION),
    maxEndpoints: read.integer('MAX_ENDPOINTS', 1000, PER_ORGANIZATION),
    templateCheck: read.oneOf('TEMPLATE_CHECK', ['on', 'off'], 'on'),
    inspector: read.oneOf('INSPECTOR', ['on', 'off'], upstream.url ? 'off' : 'on'),
    costsFile: read.text('COSTS_FILE'),
    connectLinkSeconds: read.integer('CONNECT_LINK_SECONDS', 86_400, { min: 60, max: 30 * 86_400 }),
    cell: read.text('CELL') ?? '',
    cells: readCells(read),
    drainSeconds: read.integer('DRAIN_SECONDS', upstream.url || role === 'callbacks' ? DRAIN_SECONDS : 0, {
      min: 0,
      max: 300,
    }),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: read.oneOf('LOG_FORMAT', LOG_FORMATS, undefined),
    metricsToken: read.text('METRICS_TOKEN'),
    traces: {
      endpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.href.replace(/\/+$/, ''),
      serviceName: read.text('OTEL_SERVICE_NAME') ?? 'hubline',
    },
  }
  if (publicUrl.href !== `${publicUrl.origin}/`) {
    read.problem('PUBLIC_URL must be an origin, without path, query or credentials')
  }
  if (port !== 0 && port === config.simulatorPort) read.problem('PORT and SIMULATOR_PORT must differ')
  if (!CELL.test(config.cell)) read.problem('CELL must have four letters and digits, such as br01')
  if (config.role === 'callbacks') checkForwarding(read, config)
  else checkRole(read, config)
  if (config.role !== 'callbacks' && config.cells.length > 0) {
    read.problem('CELLS needs ROLE=callbacks: a process of another role sends no callbacks to other cells')
  }
  checkUpstream(read, config)
  checkBilling(read, config, isLoopbackHost(publicUrl.hostname))
  read.refuseUnknown(PREFIXES)
  read.finish()
  return Object.freeze(config)
}

/** The next port, or any free port if the hub's own is any free port or the last one. */
function nextPort(port: number): number {
  return port === PORTS.min || port === PORTS.max ? 0 : port + 1
}

function readUpstream(read: EnvReader) {
  return {
    url: read.url('UPSTREAM_URL', ['http:', 'https:'])?.href.replace(/\/+$/, ''),
    version: read.text('UPSTREAM_VERSION') ?? 'v25.0',
    appId: read.text('UPSTREAM_APP_ID'),
    appSecret: read.text('UPSTREAM_APP_SECRET'),
    configId: read.text('UPSTREAM_CONFIG_ID'),
    verifyToken: read.text('UPSTREAM_VERIFY_TOKEN'),
    timeoutMs: read.integer('UPSTREAM_TIMEOUT_MS', 20_000, { min: 100, max: 120_000 }),
  }
}

/** Another host, because its root would otherwise be that of the dashboard. */
function readGraphUrl(read: EnvReader, publicUrl: URL, { isSandbox }: { isSandbox: boolean }): string | undefined {
  const url = read.url('GRAPH_URL', isSandbox ? ['http:', 'https:'] : ['https:'])
  if (!url) return undefined
  if (url.href !== `${url.origin}/`) read.problem('GRAPH_URL must be an origin, without path, query or credentials')
  if (getHostName(url) === getHostName(publicUrl)) read.problem('GRAPH_URL must have another host than PUBLIC_URL')
  return url.origin
}

function readDatabaseUrl(read: EnvReader, name: string): string | undefined {
  const url = read.text(name)
  try {
    if (url !== undefined) parseDatabaseUrl(url)
    return url
  } catch (err) {
    read.problem(`${name} ${err instanceof Error ? err.message : err}`)
    return undefined
  }
}

function readSealingKeys(read: EnvReader): KeyRing | undefined {
  const text = read.text('SEALING_KEYS')
  try {
    return text === undefined ? undefined : parseKeyRing(text)
  } catch (err) {
    read.problem(`SEALING_KEYS is malformed: ${err instanceof Error ? err.message : err}`)
    return undefined
  }
}

/** With `/0`, any client could choose its own address. */
function readTrustedProxies(read: EnvReader): string[] {
  return read.list('TRUSTED_PROXIES').flatMap((entry) => {
    const cidr = parseCidr(entry)
    if (cidr && cidr.bits > 0) return [`${cidr.address}/${cidr.bits}`]
    read.problem(`TRUSTED_PROXIES must be a comma-separated list of CIDR blocks, and "${entry}" is not one`)
    return []
  })
}

function readAllowedDestinations(read: EnvReader): AllowedDestination[] {
  const allowed: AllowedDestination[] = []
  for (const entry of read.list('WEBHOOK_ALLOWED_DESTINATIONS')) {
    const parsed = parseAllowedDestination(entry)
    if ('problem' in parsed) read.problem(`WEBHOOK_ALLOWED_DESTINATIONS: "${entry}" ${parsed.problem}`)
    else allowed.push(parsed)
  }
  return allowed
}

/** The origins of the hubs that each get the callbacks of the app. */
function readCells(read: EnvReader): string[] {
  const entries = read.list('CELLS')
  const origins = entries.flatMap((entry) => parseOrigin(entry) ?? [])
  if (origins.length < entries.length) {
    read.problem('CELLS must be a comma-separated list of origins, such as https://br01.example.com, without paths')
  }
  for (const origin of origins) {
    const { protocol, hostname } = new URL(origin)
    const address = parseCidr(hostname)
    if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
      read.problem(`CELLS: ${origin} must begin with https://, except on a loopback address`)
    }
    if (address && isForbiddenBlock(address)) {
      read.problem(`CELLS: ${origin} is a link-local or metadata address, which is never allowed`)
    }
  }
  if (new Set(origins).size < origins.length) read.problem('CELLS must name each cell once')
  return origins
}

type Draft = {
  role: (typeof ROLES)[number]
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  sealingKeys: KeyRing | undefined
  upstream: ReturnType<typeof readUpstream>
  billing: 'off' | 'sandbox' | 'stripe'
  stripe: { secretKey: string | undefined; webhookSecret: string | undefined }
}

/** A process with another role than `all` shares a database and a real upstream with the others. */
function checkRole(read: EnvReader, { role, databaseUrl, databaseDirectUrl, sealingKeys, upstream }: Draft): void {
  if (databaseDirectUrl && !databaseUrl) read.problem('DATABASE_DIRECT_URL needs DATABASE_URL')
  if (role !== 'all' && !databaseUrl) read.problem(`DATABASE_URL is required with ROLE=${role}`)
  if (role !== 'all' && !upstream.url) read.problem(`UPSTREAM_URL is required with ROLE=${role}`)
  if (databaseUrl && !sealingKeys) read.problem('SEALING_KEYS is required with DATABASE_URL')
}

/** This role has no database and calls no upstream: it checks signatures, and sends callbacks to the cells. */
function checkForwarding(
  read: EnvReader,
  { cells, publicUrl, upstream }: Pick<Draft, 'upstream'> & { cells: string[]; publicUrl: string },
): void {
  if (cells.length === 0) read.problem('CELLS is required with ROLE=callbacks')
  if (cells.includes(publicUrl))
    read.problem('CELLS must not have PUBLIC_URL: this process would send callbacks to itself')
  if (!upstream.appSecret) read.problem('UPSTREAM_APP_SECRET is required with ROLE=callbacks')
  if (!upstream.verifyToken) read.problem('UPSTREAM_VERIFY_TOKEN is required with ROLE=callbacks')
}

function checkUpstream(read: EnvReader, { upstream }: Draft): void {
  if (!/^v\d{1,2}\.\d$/.test(upstream.version)) read.problem('UPSTREAM_VERSION must look like v25.0')
  if (!upstream.url) return
  const required = {
    UPSTREAM_APP_ID: upstream.appId,
    UPSTREAM_APP_SECRET: upstream.appSecret,
    UPSTREAM_CONFIG_ID: upstream.configId,
    UPSTREAM_VERIFY_TOKEN: upstream.verifyToken,
  }
  for (const [name, value] of Object.entries(required)) {
    if (!value) read.problem(`${name} is required with UPSTREAM_URL`)
  }
}

/** Simulated payments with a real upstream would give free quota to any client that can reach the page. */
function checkBilling(read: EnvReader, { billing, stripe, upstream }: Draft, isLocal: boolean): void {
  if (billing === 'sandbox' && upstream.url && !isLocal) {
    read.problem('BILLING=sandbox with UPSTREAM_URL is allowed only if PUBLIC_URL is a loopback address')
  }
  if (billing !== 'stripe') return
  if (!stripe.secretKey) read.problem('STRIPE_SECRET_KEY is required with BILLING=stripe')
  if (!stripe.webhookSecret) read.problem('STRIPE_WEBHOOK_SECRET is required with BILLING=stripe')
}
