import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { check, readHistory } from './checker.ts'
import { openEarlierVersion } from './earlier-version.ts'
import { describeRun, report } from './report.ts'
import { run } from './run.ts'
import { runSeeds } from './seeds.ts'

/** Beside the exit codes of the report. */
const RUN_FAILED = 3

/** `npm run torture -- --seed N --seconds S`: one run with faults, and the checker on its history. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    'per-second': { type: 'string', default: '10' },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
    from: { type: 'string' },
    check: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})

// The terminal and npm both pass a signal on: the second one must not end this process before it has ended all others.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
process.exitCode = await main()

async function main(): Promise<number> {
  if (values.check !== undefined) return report({ directory: values.check, ...check(readHistory(values.check)) })
  return values.seeds === undefined ? await runOnce() : await runMany(values.seeds)
}

async function runMany(text: string): Promise<number> {
  const args = (['seconds', 'minutes', 'per-second', 'root', 'from'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, values[name]],
  )
  if (values.keep) args.push('--keep')
  return await runSeeds(readSeeds(text), { atOnce: readNumber('at-once', values['at-once']), args })
}

async function runOnce(): Promise<number> {
  const seed = readNumber('seed', values.seed)
  const seconds =
    values.minutes === undefined
      ? readNumber('seconds', values.seconds ?? '45')
      : 60 * readNumber('minutes', values.minutes)
  const directory = await mkdtemp(join(tmpdir(), `hubline-torture-${seed}-`))
  await chmod(directory, 0o755)
  const { root, from } = values
  const given = { seed, runMs: 1000 * seconds, perSecond: readNumber('per-second', values['per-second']), root }
  const described = { seed, seconds, from }
  try {
    await using earlier = from === undefined ? undefined : await openEarlierVersion(root, from)
    await run({ ...given, directory, earlierRoot: earlier?.root })
  } catch (err) {
    console.error(err)
    console.log(`The run failed and says nothing. Its logs: ${directory}`)
    console.log(describeRun(described))
    return RUN_FAILED
  }
  const verdict = check(readHistory(directory))
  const code = report({ directory, ...verdict })
  console.log(describeRun({ ...described, verdict }))
  // The history stays where something is wrong, so that the checker can be repeated on it.
  const kept = code !== 0 || values.keep
  await rm(join(directory, kept ? 'database' : ''), { recursive: true, force: true, maxRetries: 5 })
  return code
}

/** `1-10`, `2,5,7`, or both. */
function readSeeds(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-')
    const [from, to] = [readNumber('seeds', first), readNumber('seeds', last)]
    return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  })
}

function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (Number.isFinite(number) && number > 0) return number
  throw new Error(`--${name} takes a number above 0, not ${text}`)
}
