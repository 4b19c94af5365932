import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fail, readNumber, readOptions, readSeeds } from './options.ts'

const USAGE = `npm run torture:bugs -- [bug …] [--seeds 1,2,3] [--seconds S]

Plants each bug of tools/torture/bugs/ in a temporary worktree of the last commit, runs the seeds on it until one finds it,
and prints which were found. Names of bugs choose some of them.

  --seeds 1-3    the seeds, also as 2,5; 1 without it
  --seconds S    how long faults happen in each run; 45 without it
  --help         prints this`

const ROOT = join(import.meta.dirname, '../..')
const BUGS = join(import.meta.dirname, 'bugs')

const { values, positionals } = readOptions(USAGE, {
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1' }, seconds: { type: 'string', default: '45' } },
})
const [seeds, seconds] = [readSeeds(values.seeds), String(readNumber('seconds', values.seconds))]
const names = globSync('*.patch', { cwd: BUGS }).map((file) => basename(file, '.patch'))
const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name)).sort()
if (chosen.length < positionals.length) fail(`The planted bugs are: ${names.sort().join(', ')}.`)

const results = chosen.map((name) => ({ name, foundBy: tryBug(name) }))
for (const { name, foundBy } of results) console.log(`| ${name} | ${foundBy ?? ' | not found'} |`)
console.log(`${results.filter(({ foundBy }) => foundBy).length} of ${results.length} found`)

/** The seed that found the bug, with the first rule that it broke and how. */
function tryBug(name: string): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'hubline-bug-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  git('worktree', 'add', '--quiet', '--detach', '--force', root, 'HEAD')
  try {
    execFileSync('git', ['apply', join(BUGS, `${name}.patch`)], { cwd: root })
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    for (const seed of seeds) {
      const args = [join(import.meta.dirname, 'main.ts'), '--seed', String(seed), '--seconds', seconds, '--root', root]
      console.log(`${name}, seed ${seed}: begins`)
      const { status, stdout } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      console.log(`${name}, seed ${seed}: exit ${status}\n${stdout}`)
      const [, verdict, rule] = /^(lost|late): [1-9]\d*\n {2}(\S.*): \d+$/m.exec(stdout) ?? []
      if (rule !== undefined) return `seed ${seed} | ${verdict}: ${rule}`
    }
    return undefined
  } finally {
    git('worktree', 'remove', '--force', root)
    rmSync(root, { recursive: true, force: true })
  }
}
