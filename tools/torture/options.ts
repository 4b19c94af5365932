import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The exit code of a run that could not be made, beside those of the report. */
export const RUN_FAILED = 3

/** Reads the arguments of a program, or ends it: with its usage on `--help`, and with what is wrong otherwise. */
export function readOptions<Config extends ParseArgsConfig>(usage: string, config: Config) {
  const withHelp = { ...config, options: { ...config.options, help: { type: 'boolean', short: 'h' } } } as const
  try {
    const read = parseArgs<Config>(withHelp as unknown as Config)
    if (!('help' in read.values)) return read
  } catch (err) {
    return fail(err instanceof Error ? err.message : String(err))
  }
  console.log(usage)
  process.exit(0)
}

export function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (Number.isFinite(number) && number > 0) return number
  return fail(`--${name} takes a number above 0, not ${text}.`)
}

/** `1-10`, `2,5,7`, or both. */
export function readSeeds(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-')
    const [from, to] = [readNumber('seeds', first), readNumber('seeds', last)]
    return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  })
}

export function fail(message: string): never {
  console.error(`${message}\n--help lists the options.`)
  process.exit(RUN_FAILED)
}
