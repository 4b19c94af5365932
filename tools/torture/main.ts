import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, readHistory } from './checker.ts'
import { openEarlierVersion } from './earlier-version.ts'
import { RUN_FAILED, readNumber, readOptions, readSeeds } from './options.ts'
import { describeRun, report } from './report.ts'
import { run } from './run.ts'
import { runSeeds } from './seeds.ts'

const USAGE = `npm run torture -- [--seed N | --seeds 1-10] [option …]

Runs real processes under load and faults, and checks what was acknowledged against what arrived (docs/reliability.md).

  --seed N            what happens, and when; 1 without it
  --seeds 1-10        several seeds, also as 2,5; one after the other, with the rows of all at the end
  --at-once N         of --seeds: so many at the same time
  --seconds S, --minutes M  how long faults happen; 45 s without it
  --per-second N      operations per second; 10 without it
  --from COMMIT       begins as the version of that commit, and upgrades under traffic
  --root DIRECTORY    runs the hub of another clone
  --keep              keeps the history also if nothing was found
  --check DIRECTORY   only checks a history that was kept
  --help              prints this

Exit codes: 0 nothing found, 1 a promise is broken, 2 something was late or inconclusive, 3 the run could not be made.`

/** One run with faults, and the checker on its history. */
const { values } = readOptions(USAGE, {
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
