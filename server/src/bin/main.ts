import './node-22.ts'
import { readConfig } from '../app/config/config.ts'
import { explainError, explainFailedStart } from '../app/explain-error.ts'
import { startForwarding } from '../app/forwarding.ts'
import { startHub } from '../app/hub.ts'
import { CannotStart, openInstallation } from '../app/installation.ts'
import { requireFreePorts } from '../app/ports.ts'
import {
  buildSampleRateCards,
  makeSampleData,
  requireSandbox,
  SAMPLE_DATA,
  type SampleAccount,
} from '../app/sample-data/sample-data.ts'
import { startSandbox } from '../app/sandbox.ts'
import { startTracing } from '../app/tracing.ts'
import { createLogger } from '../kernel/logger.ts'
import { describeAdminCall } from './admin-call.ts'
import { loadDotEnv } from './dot-env.ts'

/** One Ctrl-C can arrive twice, from the terminal and from npm. Only a later one ends the process at once. */
const SAME_SIGNAL_MS = 1000

/** Closed in reverse order, at the end and when a later part fails to open. */
const opened = new AsyncDisposableStack()
let stopping: { since: number } | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
for (const event of ['unhandledRejection', 'uncaughtException'] as const) process.on(event, fail)
const started = start()
await started

async function start(): Promise<void> {
  try {
    const shell = { ...process.env }
    const hasSampleData = readArguments(process.argv.slice(2))
    loadDotEnv()
    const config = readConfig(process.env)
    const logger = createLogger(config.logLevel, {
      format: config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json'),
    })
    const { endpoint, serviceName } = config.traces
    if (endpoint) opened.use(await startTracing({ endpoint, serviceName, logger }))
    if (hasSampleData) requireSandbox(config)
    if (config.role === 'callbacks') {
      await requireFreePorts(config, { isSandbox: false })
      const forwarding = await startForwarding(config, { logger })
      opened.defer(async () => {
        logger.info('stopping')
        await forwarding.stop()
      })
      logger.info({ url: forwarding.url, role: config.role, cells: config.cells }, 'listening')
      return
    }
    const name = `hubline ${config.role}`
    const isSandbox = !config.upstream.url || (config.billing === 'sandbox' && config.role === 'all')
    await requireFreePorts(config, { isSandbox })
    const installation = opened.use(await openInstallation(config, { logger, name, isHub: true }))
    if (hasSampleData) installation.rateCards ??= buildSampleRateCards()
    const account = hasSampleData ? await makeSampleData(config, installation) : undefined
    const sandbox = isSandbox
      ? opened.use(await startSandbox(config, installation.upstream, installation.payments))
      : undefined
    const { settings: upstream, payments } = sandbox ?? { settings: installation.upstream, ...installation }
    const simulator = sandbox?.control
    const hub = await startHub(config, { ...installation, upstream, payments, simulator }, { logger })
    opened.defer(async () => {
      logger.info('stopping')
      await hub.stop()
    })
    logger.info({ url: hub.url, role: config.role, migrations: installation.applied }, 'listening')
    if (!config.databaseUrl) {
      process.stdout.write(welcome(config.publicUrl, installation.location, sandbox?.url, repeatVariables(shell)))
    }
    await sandbox?.callBack(hub.url)
    if (account) process.stdout.write(greet(account, config.publicUrl, repeatVariables(shell)))
  } catch (err) {
    await opened.disposeAsync().catch(() => undefined)
    end(explainFailedStart(err))
  }
}

/** Everything else comes from the environment. */
function readArguments(given: string[]): boolean {
  const unknown = given.find((argument) => argument !== SAMPLE_DATA)
  if (unknown === undefined) return given.length > 0
  throw new CannotStart(
    `The argument ${unknown} is unknown: ${SAMPLE_DATA} is the only one, and settings are variables`,
  )
}

/** A signal during the start waits for its end: a database that is starting must not keep running. */
async function stop(): Promise<void> {
  if (stopping) {
    if (Date.now() - stopping.since > SAME_SIGNAL_MS) process.exit(130)
    return
  }
  stopping = { since: Date.now() }
  await started
  await opened.disposeAsync().catch(fail)
  process.exit(0)
}

function fail(err: unknown): never {
  return end(explainError(err))
}

function end(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

/** The variables of the shell without which a command would use another database, or another simulator. */
function repeatVariables(shell: NodeJS.ProcessEnv): string {
  return ['DATA_DIR', 'PORT', 'SIMULATOR_PORT']
    .filter((name) => shell[name] !== undefined)
    .map((name) => `${name}='${shell[name]?.replaceAll("'", "'\\''")}' `)
    .join('')
}

function welcome(url: string, location: string, simulatorUrl: string | undefined, variables: string): string {
  const simulator = simulatorUrl ? `\n    Simulator  ${simulatorUrl}   (stands in for WhatsApp)` : ''
  return `
  Hubline is ready.

    Dashboard  ${url}
    API        ${url}/api/v1
    Reference  ${url}/docs${simulator}
    Data       ${location}

  Next: open the dashboard in a browser. Or create an organization and its first API key in another terminal:

    ${variables}${describeAdminCall('npm run --silent admin --')} create-organization --name Acme

`
}

function greet({ email, password }: SampleAccount, url: string, variables: string): string {
  const again = `${variables}${describeAdminCall('npm run --silent admin --')} reset-password --email ${email}`
  const secret = password ?? 'the one that the first start printed'
  return `  The sample data is two weeks of an invented agency. Its webhooks lead nowhere, so what happens from now on does not reach them.

    Sign in at  ${url}
    E-mail      ${email}
    Password    ${secret}
    A new one   ${again}

`
}
