import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export const PROGRAM = join(import.meta.dirname, '../bin/hubline.js')

export type Env = Record<string, string>

/** A directory for the settings of one test. */
export async function newConfigDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-cli-'))
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

/** Runs the program on pipes until it ends. */
export async function run(args: string[], env: Env = {}, input = '') {
  const program = launch(process.execPath, [PROGRAM, ...args], env)
  program.child.stdin?.end(input)
  const code = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr(), json: () => JSON.parse(program.stdout()) }
}

export type Program = ReturnType<typeof launch>

/** Starts the program on pipes. */
export function start(t: TestContext, args: string[], env: Env): Program {
  const program = launch(process.execPath, [PROGRAM, ...args], env)
  t.after(() => program.end('SIGKILL'))
  return program
}

/** Starts the program in a terminal of its own, which `script` makes. */
export function startInTerminal(t: TestContext, args: string[], env: Env): Program {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ')
  const program = launch('script', ['-qefc', command, '/dev/null'], { TERM: 'xterm', SHELL: '/bin/sh', ...env })
  t.after(() => program.end('SIGKILL'))
  return program
}

function launch(command: string, args: string[], env: Env) {
  const inherited = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }
  const child: ChildProcess = spawn(command, args, { env: { ...inherited, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  function collect(name: 'stdout' | 'stderr', chunk: Buffer): void {
    out[name] += chunk
    for (const check of waiting) check()
  }
  child.stdout?.on('data', (chunk) => collect('stdout', chunk))
  child.stderr?.on('data', (chunk) => collect('stderr', chunk))
  // The program may end before it has read its input.
  child.stdin?.on('error', () => undefined)
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })

  return {
    child,
    ended,
    stdout: () => out.stdout,
    stderr: () => out.stderr,

    /** Waits until the output, from `from` on, matches. Returns what was printed up to now. */
    async prints(pattern: RegExp, from = 0): Promise<string> {
      const find = () => pattern.test((out.stdout + out.stderr).slice(from))
      if (!find()) {
        await new Promise<void>((resolve, reject) => {
          const check = () => {
            if (!find()) return
            waiting.delete(check)
            resolve()
          }
          waiting.add(check)
          void ended.then((code) => reject(new Error(`It ended with ${code}:\n${out.stdout}${out.stderr}`)))
        })
      }
      return out.stdout + out.stderr
    },

    type: (text: string) => void child.stdin?.write(text),

    async end(signal: NodeJS.Signals): Promise<number | string> {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}
