import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const MAIN = join(import.meta.dirname, 'main.ts')

/** Runs each seed in a process of its own, some at once, and prints a row for each at the end. Returns the worst exit code. */
export async function runSeeds(seeds: number[], { atOnce, args }: { atOnce: number; args: string[] }): Promise<number> {
  const rows = new Map<number, string>()
  const codes: number[] = []
  const left = [...seeds]

  async function runNext(): Promise<void> {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const child = spawn(process.execPath, [MAIN, '--seed', String(seed), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      console.log(`Seed ${seed} begins`)
      const stop = () => child.kill('SIGTERM')
      process.once('exit', stop)
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
      process.off('exit', stop)
      console.log(output)
      rows.set(seed, output.split('\n').find((line) => line.startsWith('| ')) ?? '')
      codes.push(child.exitCode ?? 1)
    }
  }

  await Promise.all(Array.from({ length: atOnce }, runNext))
  console.log(seeds.map((seed) => rows.get(seed)).join('\n'))
  return [1, 3, 2].find((code) => codes.includes(code)) ?? 0
}
