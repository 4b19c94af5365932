import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { Hub } from '@hubline/sdk'
import { usageError } from './exit-codes.ts'
import type { Settings } from './settings.ts'
import { suggestName } from './suggestions.ts'
import type { Cell, Paint } from './terminal.ts'

export type Io = {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown }
  stdout: Writable & { isTTY?: boolean; columns?: number }
  stderr: Writable & { isTTY?: boolean }
  env: Record<string, string | undefined>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** A command gets this to call the hub and to print. */
export type Context = {
  io: Io
  isJson: boolean
  paint: Paint
  /** Throws where no credential is known. */
  loadSettings: () => Promise<Settings>
  connect: () => Promise<Hub>
  /** One line for a person or, with `--json`, nothing. */
  say: (text: string) => void
  /** A value as one line of JSON. */
  printJson: (value: unknown) => void
  /** The `data` of a response as the API has it: one line with its envelope. */
  printData: (data: object) => void
  table: (head: string[], rows: Cell[][], none: string) => void
  /** A line that the next one replaces, while work takes long. Only on a terminal. */
  progress: (text: string) => void
  warn: (text: string) => void
}

export type Option = {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** The name of its value in the help. */
  value?: string
  /** The values that it takes. */
  choices?: readonly string[]
  description: string
}

export type Values = Record<string, string | boolean | string[] | undefined>
export type Arguments = { values: Values; positionals: string[] }

export type Command = {
  name: string
  summary: string
  /** After the name: `<channel> [<text>]`. */
  usage: string
  description?: string
  options?: Record<string, Option>
  positionals: { min: number; max: number }
  examples?: readonly string[]
  /** The first words that it takes, for completion. */
  actions?: readonly string[]
  run: (context: Context, args: Arguments) => Promise<number | undefined>
}

export const COMMON_OPTIONS: Record<string, Option> = {
  json: { type: 'boolean', description: 'Print JSON instead of text' },
  profile: { type: 'string', value: 'name', description: 'Use the hub and key of this profile' },
  help: { type: 'boolean', short: 'h', description: 'Show this help' },
}

export function parseArguments(command: Command, args: string[]): Arguments {
  const options = { ...command.options, ...COMMON_OPTIONS }
  try {
    const { values, positionals } = parseArgs({ args, options: toParseOptions(options), allowPositionals: true })
    const parsed = { values: values as Values, positionals }
    if (!values.help) checkArguments(command, options, parsed)
    return parsed
  } catch (err) {
    throw toUsageError(err, command, Object.keys(options))
  }
}

function toParseOptions(options: Record<string, Option>) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      { type, multiple, ...(short && { short }) },
    ]),
  )
}

function checkArguments(command: Command, options: Record<string, Option>, { values, positionals }: Arguments): void {
  const { min, max } = command.positionals
  if (positionals.length < min) throw usageError(`Missing argument. Usage: hubline ${command.name} ${command.usage}`)
  if (positionals.length > max) {
    throw usageError(
      `Unexpected argument '${positionals[max]}'. Quote text that contains spaces. Usage: hubline ${command.name} ${command.usage}`,
    )
  }
  for (const [name, { choices }] of Object.entries(options)) {
    for (const value of [values[name] ?? []].flat()) {
      if (choices && !choices.includes(String(value))) throw wrongChoice(`--${name}`, String(value), choices)
    }
  }
}

export function wrongChoice(what: string, given: string, choices: readonly string[]): Error {
  const nearest = suggestName(given, choices)
  return usageError(
    `Invalid value '${given}' for ${what}. ${nearest ? `Did you mean ${nearest}?` : `Choose one of ${choices.join(', ')}.`}`,
  )
}

/** Node's messages name what is wrong, but not what was probably meant. */
function toUsageError(err: unknown, command: Command, names: string[]): unknown {
  const { code, message } = err as { code?: string; message: string }
  if (!code?.startsWith('ERR_PARSE_ARGS')) return err
  const [, unknown] = /^Unknown option '--?([^']+)'/.exec(message) ?? []
  if (unknown === undefined) return usageError(`${message.split('\n')[0]}`)
  const nearest = suggestName(unknown, names)
  const hint = nearest ? `Did you mean --${nearest}?` : `\`hubline ${command.name} --help\` lists the options.`
  return usageError(`Unknown option '${unknown.length === 1 ? '-' : '--'}${unknown}'. ${hint}`)
}

/** A whole number of an option, or what stands for it when it is left out. */
export function readNumber(
  values: Values,
  name: string,
  range: { min: number; max: number; otherwise: number },
): number {
  const { min, max, otherwise } = range
  const text = values[name]
  if (text === undefined) return otherwise
  const number = Number(text)
  if (Number.isInteger(number) && number >= min && number <= max && text !== '') return number
  throw usageError(`--${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
}

export function readText(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of an option that may be repeated, or hold several with commas between them. */
export function readList(values: Values, name: string): string[] {
  const list = Array.isArray(values[name]) ? (values[name] as string[]) : []
  return list
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}
