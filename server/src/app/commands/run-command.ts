import { parseArgs } from 'node:util'
import { systemClock } from '../../kernel/clock.ts'
import { startDatabaseClock } from '../../kernel/db/database-clock.ts'
import { createLogger } from '../../kernel/logger.ts'
import { readConfig } from '../config/config.ts'
import { createContext } from '../context.ts'
import { explainError } from '../explain-error.ts'
import { openInstallation } from '../installation.ts'
import { COMMANDS, type Command } from './operator-commands.ts'
import { IncompleteError, UsageError } from './usage-error.ts'

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
    if (err instanceof IncompleteError) {
      return { exitCode: 1, stdout: toLine(err.result), stderr: `${err.message}\n` }
    }
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
  return toLine(result)
}

function toLine(result: unknown): string {
  return `${JSON.stringify(result)}\n`
}

async function run(command: Command, values: Record<string, string>, env: NodeJS.ProcessEnv): Promise<unknown> {
  const config = readConfig(env)
  if (config.role === 'callbacks') {
    throw new UsageError('ROLE=callbacks has no database: run this command with the variables of a cell')
  }
  // Standard output has nothing but the result.
  const logger = createLogger('warn', { write: (line) => void process.stderr.write(line) })
  if ('runAlone' in command) return command.runAlone({ config, env, logger }, values)
  await using installation = await openInstallation(config, { logger, name: 'hubline admin', isHub: false })
  await using clock = await startDatabaseClock({ sql: installation.sql, logger, now: systemClock })
  await using context = createContext(config, { ...installation, now: clock.now, processClock: systemClock, logger })
  return await command.run(context, values, { installation, config })
}

/** A flag that was given has an empty value. */
function readOptions(command: Command, args: string[]): Record<string, string> {
  const { options: required, optional = {}, flags = [], argument } = command
  const named = Object.keys({ ...required, ...optional })
  const options = {
    ...Object.fromEntries(named.map((option) => [option, { type: 'string' as const }])),
    ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
  }
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, strict: true, allowPositionals: argument !== undefined })
  } catch (err) {
    throw new UsageError(err instanceof Error ? err.message.replace(/\.$/, '') : String(err))
  }
  const values = Object.fromEntries(
    Object.entries(parsed.values).map(([option, value]) => [option, typeof value === 'string' ? value : '']),
  )
  for (const option of Object.keys(required)) {
    if (!values[option]?.trim()) throw new UsageError(`--${option} is required`)
  }
  if (argument === undefined) return values
  const [word, ...others] = parsed.positionals
  if (!word?.trim()) throw new UsageError(`${argument[1]} is required`)
  if (others.length > 0) throw new UsageError(`Unexpected argument '${others[0]}'`)
  return { ...values, [argument[0]]: word }
}

function help(call: string): string {
  const lines = Object.entries(COMMANDS).map(([command, { options, optional = {}, flags = [], argument, summary }]) => {
    const usage = Object.entries(options).map(([option, value]) => ` --${option} ${value}`)
    const more = Object.entries(optional).map(([option, value]) => ` [--${option} ${value}]`)
    const given = flags.map((flag) => ` [--${flag}]`)
    const word = argument ? [` ${argument[1]}`] : []
    return `  ${command}${[...word, ...usage, ...more, ...given].join('')}\n      ${summary}\n`
  })
  return `Usage: ${call} COMMAND [OPTIONS]\n\n${lines.join('')}
Each command works whether the hub runs or not, reads the same
variables as the hub, and prints one line of JSON.\n`
}
