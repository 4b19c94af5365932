import { readConfig } from '../app/config.ts'
import { startHub } from '../app/hub.ts'
import { openInstallation } from '../app/installation.ts'
import { createLogger } from '../kernel/logger.ts'
import { explain } from './explain.ts'

try {
  const config = readConfig(process.env)
  const logger = createLogger(config.logLevel)
  const installation = await openInstallation(config, { logger, name: `hubline ${config.role}`, isHub: true })
  const hub = await startHub(config, installation, { logger }).catch(async (err) => {
    await installation[Symbol.asyncDispose]()
    throw err
  })
  logger.info({ url: hub.url, role: config.role, migrations: installation.applied }, 'listening')
  if (!config.databaseUrl) process.stdout.write(welcome(config.publicUrl, installation.place))

  let isStopping = false
  async function stop(signal: string): Promise<void> {
    // A second signal means that somebody does not want to wait.
    if (isStopping) process.exit(130)
    isStopping = true
    logger.info({ signal }, 'stopping')
    await hub.stop()
    await installation[Symbol.asyncDispose]()
    logger.info('stopped')
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
} catch (err) {
  process.stderr.write(`${explain(err)}\n`)
  process.exit(1)
}

function welcome(url: string, place: string): string {
  return `
  Hubline is ready.

    API        ${url}
    Reference  ${url}/docs
    Data       ${place}

  Next: make an organization and its first API key, in another terminal:

    npm run admin -- create-organization --name Acme

`
}
