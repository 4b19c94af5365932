import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '../../kernel/env.ts'
import { type Config, readConfig } from './config.ts'

const RING = `k1:${randomBytes(32).toString('base64')}`

function listProblems(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (err) {
    assert.ok(err instanceof ConfigError)
    return err.problems
  }
}

test('with no variable set, every setting has its documented default', {
  rules: ['config.defaults', 'signup.closed-needs-an-invitation', 'process.drain-is-5-seconds-with-an-upstream'],
}, () => {
  const config = readConfig({})

  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://localhost:8080',
    graphUrl: undefined,
    graphQueryTokens: 'on',
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    costsFile: undefined,
    templateCheck: 'on',
    inspector: 'on',
    dataDir: join(process.cwd(), 'data'),
    role: 'all',
    sealingKeys: undefined,
    upstream: {
      url: undefined,
      version: 'v25.0',
      appId: undefined,
      appSecret: undefined,
      configId: undefined,
      verifyToken: undefined,
      timeoutMs: 20_000,
    },
    simulatorPort: 8081,
    billing: 'sandbox',
    stripe: { secretKey: undefined, webhookSecret: undefined, url: undefined },
    webhookAllowedDestinations: [],
    mail: undefined,
    signUp: 'open',
    trustedProxies: [],
    retentionEventsDays: 30,
    retentionMessagesDays: 90,
    retentionAuditDays: 365,
    pendingChannelDays: 7,
    maxChannels: 10_000,
    maxEndpoints: 1000,
    connectLinkSeconds: 86_400,
    cell: '',
    cells: [],
    drainSeconds: 0,
    logLevel: 'info',
    logFormat: undefined,
    metricsToken: undefined,
    traces: { endpoint: undefined, serviceName: 'hubline' },
  })
})

const TAKEN: [string, string, (config: Config) => unknown, unknown][] = [
  ['PORT', '0', (config) => config.port, 0],
  ['PORT', '65535', (config) => config.port, 65_535],
  ['PORT', '9000', (config) => config.publicUrl, 'http://localhost:9000'],
  ['PORT', '9000', (config) => config.simulatorPort, 9001],
  ['SIMULATOR_PORT', '9005', (config) => config.simulatorPort, 9005],
  ['HOST', '0.0.0.0', (config) => config.host, '0.0.0.0'],
  ['PUBLIC_URL', 'https://hub.example.com/', (config) => config.publicUrl, 'https://hub.example.com'],
  ['GRAPH_URL', 'https://graph.example.com/', (config) => config.graphUrl, 'https://graph.example.com'],
  ['GRAPH_URL', 'http://graph.localhost:8080', (config) => config.graphUrl, 'http://graph.localhost:8080'],
  ['INSPECTOR', 'off', (config) => config.inspector, 'off'],
  ['TEMPLATE_CHECK', 'off', (config) => config.templateCheck, 'off'],
  ['GRAPH_QUERY_TOKENS', 'off', (config) => config.graphQueryTokens, 'off'],
  ['DATA_DIR', '/var/lib/hubline', (config) => config.dataDir, '/var/lib/hubline'],
  ['DATA_DIR', 'elsewhere', (config) => config.dataDir, join(process.cwd(), 'elsewhere')],
  ['SEALING_KEYS', RING, (config) => config.sealingKeys?.[0].id, 'k1'],
  ['UPSTREAM_VERSION', 'v26.1', (config) => config.upstream.version, 'v26.1'],
  ['UPSTREAM_TIMEOUT_MS', '100', (config) => config.upstream.timeoutMs, 100],
  ['BILLING', 'off', (config) => config.billing, 'off'],
  ['STRIPE_URL', 'http://localhost:1', (config) => config.stripe.url, 'http://localhost:1/'],
  ['WEBHOOK_ALLOWED_DESTINATIONS', 'a:1, b:2', (config) => config.webhookAllowedDestinations.length, 2],
  ['SIGN_UP', 'closed', (config) => config.signUp, 'closed'],
  ['RETENTION_EVENTS_DAYS', '11', (config) => config.retentionEventsDays, 11],
  ['RETENTION_MESSAGES_DAYS', '3650', (config) => config.retentionMessagesDays, 3650],
  ['RETENTION_AUDIT_DAYS', '30', (config) => config.retentionAuditDays, 30],
  ['PENDING_CHANNEL_DAYS', '2', (config) => config.pendingChannelDays, 2],
  ['COSTS_FILE', '/etc/hubline/costs.json', (config) => config.costsFile, '/etc/hubline/costs.json'],
  ['MAX_CHANNELS', '1', (config) => config.maxChannels, 1],
  ['MAX_ENDPOINTS', '1000000', (config) => config.maxEndpoints, 1_000_000],
  ['CONNECT_LINK_SECONDS', '60', (config) => config.connectLinkSeconds, 60],
  ['DRAIN_SECONDS', '300', (config) => config.drainSeconds, 300],
  ['CELL', 'br01', (config) => config.cell, 'br01'],
  ['LOG_LEVEL', 'debug', (config) => config.logLevel, 'debug'],
  ['LOG_FORMAT', 'text', (config) => config.logFormat, 'text'],
  ['METRICS_TOKEN', 'token', (config) => config.metricsToken, 'token'],
]

test('each variable changes its setting', { rules: ['config.defaults'] }, () => {
  for (const [name, value, setting, expected] of TAKEN) {
    assert.equal(setting(readConfig({ [name]: value })), expected, `${name}=${value}`)
  }
})

const WRONG: [string, string, string][] = [
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
  ['SIMULATOR_PORT', 'x', 'SIMULATOR_PORT must be a whole number from 0 to 65535'],
  ['PUBLIC_URL', 'hub.example.com', 'PUBLIC_URL must be a URL beginning with http:// or https://'],
  ['GRAPH_QUERY_TOKENS', 'planted', 'GRAPH_QUERY_TOKENS must be one of on, off'],
  [
    'DATABASE_URL',
    'mysql://u:planted@h/d',
    'DATABASE_URL must be a URL of the form postgres://user:password@host:5432/database, with / in a password as %2F',
  ],
  ['ROLE', 'planted', 'ROLE must be one of all, api, worker, callbacks'],
  ['SEALING_KEYS', 'planted', 'SEALING_KEYS is malformed: key 1 is not of the form id:base64-of-32-bytes'],
  ['UPSTREAM_VERSION', '25', 'UPSTREAM_VERSION must look like v25.0'],
  ['UPSTREAM_TIMEOUT_MS', '99', 'UPSTREAM_TIMEOUT_MS must be a whole number from 100 to 120000'],
  ['BILLING', 'paypal', 'BILLING must be one of off, sandbox, stripe'],
  ['STRIPE_URL', 'planted', 'STRIPE_URL must be a URL beginning with http:// or https://'],
  [
    'WEBHOOK_ALLOWED_DESTINATIONS',
    'ok:1,bad',
    'WEBHOOK_ALLOWED_DESTINATIONS: "bad" is not of the form host:port or CIDR:port',
  ],
  ['DRAIN_SECONDS', '301', 'DRAIN_SECONDS must be a whole number from 0 to 300'],
  ['CELL', 'br-1', 'CELL must have four letters and digits, such as br01'],
  ['CELL', 'br001', 'CELL must have four letters and digits, such as br01'],
  [
    'CELLS',
    'https://u:planted@us02.example.com',
    'CELLS must be a comma-separated list of origins, such as https://br01.example.com, without paths',
  ],
  ['SIGN_UP', 'yes', 'SIGN_UP must be one of open, closed'],
  [
    'TRUSTED_PROXIES',
    '10.0.0.0/8,proxy',
    'TRUSTED_PROXIES must be a comma-separated list of CIDR blocks, and "proxy" is not one',
  ],
  ['RETENTION_EVENTS_DAYS', '10', 'RETENTION_EVENTS_DAYS must be a whole number from 11 to 3650'],
  ['RETENTION_MESSAGES_DAYS', '-1', 'RETENTION_MESSAGES_DAYS must be a whole number from 1 to 3650'],
  ['RETENTION_AUDIT_DAYS', '0', 'RETENTION_AUDIT_DAYS must be a whole number from 1 to 3650'],
  ['PENDING_CHANNEL_DAYS', '7d', 'PENDING_CHANNEL_DAYS must be a whole number from 1 to 3650'],
  ['MAX_CHANNELS', '0', 'MAX_CHANNELS must be a whole number from 1 to 1000000'],
  ['MAX_ENDPOINTS', 'all', 'MAX_ENDPOINTS must be a whole number from 1 to 1000000'],
  ['CONNECT_LINK_SECONDS', '59', 'CONNECT_LINK_SECONDS must be a whole number from 60 to 2592000'],
  ['LOG_LEVEL', 'verbose', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent'],
  ['LOG_FORMAT', 'pretty', 'LOG_FORMAT must be one of text, json'],
]

test('each invalid value is a problem that names its variable', {
  rules: [
    'config.problems-are-reported-together',
    'config.billing-follows-the-upstream',
    'config.retention-outlasts-the-waits',
  ],
}, () => {
  for (const [name, value, problem] of WRONG) assert.deepEqual(listProblems({ [name]: value }), [problem])
})

test('one message names all invalid variables without their values', {
  rules: ['config.problems-are-reported-together'],
}, () => {
  const env = Object.fromEntries(WRONG.map(([name, value]) => [name, value]))

  const problems = listProblems(env)

  for (const [, , problem] of WRONG) assert.ok(problems.includes(problem), problem)
  assert.ok(!problems.join('; ').includes('planted'))
})

test('a public URL with a path, a query or credentials is refused', () => {
  const urls = [
    'http://h/path',
    'http://h/?q',
    'http://h/#f',
    'http://user@h',
    'http://:planted@h',
    'http://u:planted@h',
  ]

  for (const url of urls) {
    assert.deepEqual(listProblems({ PUBLIC_URL: url }), [
      'PUBLIC_URL must be an origin, without path, query or credentials',
    ])
  }
})

test('GRAPH_URL is an origin on another host than PUBLIC_URL', { rules: ['graph.url-is-another-host'] }, () => {
  assert.deepEqual(listProblems({ GRAPH_URL: 'https://graph.example.com/planted' }), [
    'GRAPH_URL must be an origin, without path, query or credentials',
  ])
  assert.deepEqual(listProblems({ GRAPH_URL: 'graph.example.com' }), [
    'GRAPH_URL must be a URL beginning with http:// or https://',
  ])
  for (const GRAPH_URL of ['http://LOCALHOST:1', 'http://localhost.:1']) {
    assert.deepEqual(listProblems({ GRAPH_URL }), ['GRAPH_URL must have another host than PUBLIC_URL'])
  }
})

test('GRAPH_URL is https with a real upstream', { rules: ['graph.url-is-another-host'] }, () => {
  const problems = listProblems({ UPSTREAM_URL: 'https://graph.facebook.com', GRAPH_URL: 'http://graph.example.com' })

  assert.ok(problems.includes('GRAPH_URL must be a URL beginning with https://'), problems.join('; '))
})

test('a direct URL without a database URL is refused', { rules: ['database.direct-url-needs-the-url'] }, () => {
  const problems = listProblems({ DATABASE_DIRECT_URL: 'postgres://hub@db/hub' })

  assert.deepEqual(problems, ['DATABASE_DIRECT_URL needs DATABASE_URL'])
})

test('the hub and the simulator cannot have one port', () => {
  assert.deepEqual(listProblems({ PORT: '8080', SIMULATOR_PORT: '8080' }), ['PORT and SIMULATOR_PORT must differ'])
  assert.deepEqual(listProblems({ PORT: '0', SIMULATOR_PORT: '0' }), [])
})

test('a variable that differs from a known one in underscores or case is refused with the right spelling', () => {
  const problems = listProblems({ SIGNUP: 'closed', Database_Url: 'postgres://localhost/hub', HUBLINE_X: '1' })

  assert.deepEqual(problems, [
    'SIGNUP is not a variable of Hubline: it is spelled SIGN_UP',
    'Database_Url is not a variable of Hubline: it is spelled DATABASE_URL',
  ])
})

test('an unknown variable with a reserved prefix is refused, and any other is ignored', {
  rules: ['config.unknown-variables-stop-the-start'],
}, () => {
  const unknown = ['UPSTREAM_TOKEN', 'WEBHOOK_TIMEOUT', 'SEALING_KEY', 'RETENTION_DAYS', 'STRIPE_KEY', 'MAX_KEYS']

  const problems = listProblems({ ...Object.fromEntries(unknown.map((name) => [name, 'planted'])), HUBLINE_X: '1' })

  assert.deepEqual(
    problems,
    unknown.map((name) => `${name} is not a variable of Hubline`),
  )
})

test('trusted proxies become CIDR blocks', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, [fd00::]/8,127.0.0.1,::1' })

  assert.deepEqual(trustedProxies, ['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32', '::1/128'])
})

// Otherwise any client could forge addresses in the audit log and evade limits per address.
test('the whole address space is refused as a trusted proxy', () => {
  for (const block of ['0.0.0.0/0', '::/0', '[::]/0']) {
    assert.deepEqual(listProblems({ TRUSTED_PROXIES: block }), [
      `TRUSTED_PROXIES must be a comma-separated list of CIDR blocks, and "${block}" is not one`,
    ])
  }
})

test('the simulator uses any free port if the hub uses any free port or the last one', () => {
  assert.equal(readConfig({ PORT: '0' }).simulatorPort, 0)
  assert.equal(readConfig({ PORT: '65535' }).simulatorPort, 0)
})

test('the configuration is frozen', () => {
  assert.ok(Object.isFrozen(readConfig({})))
})
