import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { startDatabaseClock } from '../../kernel/db/database-clock.ts'
import { createLogger } from '../../kernel/logger.ts'
import { readConfig } from '../config/config.ts'
import { createContext } from '../context.ts'
import { explainError } from '../explain-error.ts'
import { openInstallation } from '../installation.ts'
import { COMMANDS, type Command } from './operator-commands.ts'
import { UsageError } from './usage-error.ts'

const USAGE_EXIT_CODE = 2
const HELP = ['--help', '-h']

export type CommandResult = { exitCode: number; stdout: string; stderr: string }

/** Runs the operator command that the arguments name, with the variables of `env`. `call` is how a person calls commands. */
export async function runCommand(
  [name, ...args]: string[],
  env: NodeJS.ProcessEnv,
  call = 'npm run admin --',
): Promise<CommandResult> {
  try {
    return { exitCode: 0, stdout: await print(name, args, { env, call }), stderr: '' }
  } catch (err) {
    const isUsage = err instanceof UsageError
    const sentence = isUsage ? `${err.message}. See: ${call} help` : explainError(err)
    return { exitCode: isUsage ? USAGE_EXIT_CODE : 1, stdout: '', stderr: `${sentence}\n` }
  }
}

async function print(
  name: string | undefined,
  args: string[],
  { env, call }: { env: NodeJS.ProcessEnv; call: string },
): Promise<string> {
  if (name === undefined || name === 'help' || [name, ...args].some((arg) => HELP.includes(arg))) return help(call)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`Unknown command '${name}'`)
  const result = await run(command, readOptions(command, args), env)
  return `${JSON.stringify(result)}\n`
}

async function run(command: Command, values: Record<string, string>, env: NodeJS.ProcessEnv): Promise<unknown> {
  const config = readConfig(env)
  if (config.role === 'callbacks') {
    throw new UsageError('ROLE=callbacks has no database: run this command with the variables of a cell')
  }
  // Standard output has nothing but the result.
  const logger = createLogger('warn', { write: (line) => void process.stderr.write(line) })
  await using installation = await openInstallation(config, {
    logger,
    name: 'hubline admin',
    isHub: false,
    ...(command.waitsForMigrations && { onMigrationStep: printMigrationStep }),
  })
  await using clock = await startDatabaseClock({ sql: installation.sql, logger, now: systemClock })
  await using context = createContext(config, { ...installation, now: clock.now, processClock: systemClock, logger })
  return await command.run(context, values, { installation, config })
}

/** On standard error, because a migration of a large table takes a while, and standard output has only the result. */
function printMigrationStep(migration: string, step: string): void {
  process.stderr.write(`${migration}: ${step}\n`)
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

function help(call: string): string {
  const lines = Object.entries(COMMANDS).map(([command, { options, optional = {}, summary }]) => {
    const usage = Object.entries(options).map(([option, value]) => ` --${option} ${value}`)
    const more = Object.entries(optional).map(([option, value]) => ` [--${option} ${value}]`)
    return `  ${command}${[...usage, ...more].join('')}\n      ${summary}\n`
  })
  return `Usage: ${call} COMMAND [OPTIONS]\n\n${lines.join('')}
Each command works whether the hub runs or not, reads the same
variables as the hub, and prints one line of JSON.\n`
}
