import { parseArgs } from 'node:util'
import { COMMANDS, type Command } from '../app/commands/operator-commands.ts'
import { UsageError } from '../app/commands/usage-error.ts'
import { readConfig } from '../app/config/config.ts'
import { createContext } from '../app/context.ts'
import { openInstallation } from '../app/installation.ts'
import { systemClock } from '../kernel/clock.ts'
import { createLogger } from '../kernel/logger.ts'
import { loadDotEnv } from './dot-env.ts'
import { explain } from './explain.ts'

const USAGE_EXIT_CODE = 2

const [name, ...rest] = process.argv.slice(2)
try {
  if (name === undefined || name === 'help' || name === '--help' || rest.includes('--help')) {
    process.stdout.write(help())
  } else {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) throw new UsageError(`There is no command ${name}`)
    const result = await run(command, readOptions(command, rest))
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
} catch (err) {
  process.stderr.write(`${err instanceof UsageError ? `${err.message}. See: npm run admin -- help` : explain(err)}\n`)
  process.exitCode = err instanceof UsageError ? USAGE_EXIT_CODE : 1
}

async function run(command: Command, values: Record<string, string>): Promise<unknown> {
  loadDotEnv()
  const config = readConfig(process.env)
  const logger = createLogger('warn')
  await using installation = await openInstallation(config, { logger, name: 'hubline admin', isHub: false })
  await using context = createContext(config, { ...installation, now: systemClock, logger })
  return await command.run(context, values, { installation, config })
}

function readOptions(command: Command, args: string[]): Record<string, string> {
  const names = Object.keys({ ...command.options, ...command.optional })
  const options = Object.fromEntries(names.map((option) => [option, { type: 'string' as const }]))
  let values: Record<string, string | undefined>
  try {
    values = parseArgs({ args, options, strict: true }).values
  } catch (err) {
    throw new UsageError(err instanceof Error ? err.message.replace(/\.$/, '') : String(err))
  }
  for (const option of Object.keys(command.options)) {
    if (!values[option]?.trim()) throw new UsageError(`--${option} is required`)
  }
  return values as Record<string, string>
}

function help(): string {
  const lines = Object.entries(COMMANDS).map(([command, { options, optional = {}, summary }]) => {
    const usage = Object.entries(options).map(([option, value]) => ` --${option} ${value}`)
    const more = Object.entries(optional).map(([option, value]) => ` [--${option} ${value}]`)
    return `  ${command}${[...usage, ...more].join('')}\n      ${summary}\n`
  })
  return `Usage: npm run admin -- COMMAND [OPTIONS]\n\n${lines.join('')}
Each command works whether the hub runs or not, reads the same
variables as the hub, and prints one line of JSON.\n`
}
