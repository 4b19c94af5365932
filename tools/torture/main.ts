import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { check, readHistory } from './checker.ts'
import { report } from './report.ts'
import { run } from './run.ts'

/** Beside the exit codes of the report. */
const RUN_FAILED = 3

/** `npm run torture -- --seed N --seconds S`: one run with faults, and the checker on its history. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    'per-second': { type: 'string', default: '10' },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
    check: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode =
  values.check === undefined
    ? await runOnce()
    : report({ directory: values.check, ...check(readHistory(values.check)) })

async function runOnce(): Promise<number> {
  const seed = readNumber('seed', values.seed)
  const seconds =
    values.minutes === undefined
      ? readNumber('seconds', values.seconds ?? '45')
      : 60 * readNumber('minutes', values.minutes)
  const directory = await mkdtemp(join(tmpdir(), `hubline-torture-${seed}-`))
  await chmod(directory, 0o755)
  const given = {
    seed,
    runMs: 1000 * seconds,
    perSecond: readNumber('per-second', values['per-second']),
    root: values.root,
  }
  try {
    await run({ ...given, directory })
  } catch (err) {
    console.error(err)
    console.log(`The run failed and says nothing. Its logs: ${directory}`)
    return RUN_FAILED
  }
  const code = report({ directory, ...check(readHistory(directory)) })
  // The history stays where something is wrong, so that the checker can be repeated on it.
  const kept = code !== 0 || values.keep
  await rm(join(directory, kept ? 'database' : ''), { recursive: true, force: true, maxRetries: 5 })
  return code
}

function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (Number.isFinite(number) && number > 0) return number
  throw new Error(`--${name} takes a number above 0, not ${text}`)
}
