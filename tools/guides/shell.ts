import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The tools that a person has installed stand for what the repository has; and curl fails with a status that is no success. */
const FUNCTIONS = `
curl() { command curl --fail-with-body --max-time 30 "$@"; }
npm() { command npm --prefix '${ROOT}' "$@"; }
hubline() { '${process.execPath}' '${join(ROOT, 'cli/bin/hubline.js')}' "$@"; }
npx() { if [ "$1" = hubline ]; then shift; hubline "$@"; elif [ "$1" = node ]; then shift; '${process.execPath}' "$@"; else return 127; fi; }
`

/** A terminal of a person: commands run one after the other in one folder, and exported variables stay. */
export function createShell(cwd: string, variables: Record<string, string>) {
  // A document starts our programs many times: most of a start without the cache is reading TypeScript.
  const { NODE_COMPILE_CACHE } = process.env
  const env = { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...variables }
  function launch(command: string) {
    const script = `${FUNCTIONS}\n[ -f .exports ] && . ./.exports\nset -eo pipefail\n${command}\nexport -p > .exports`
    const child = spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    let stdout = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.stdin.on('error', () => undefined)
    const ended = new Promise<number | string>((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
    })
    return { child, ended, stdout: () => stdout, output: () => output }
  }

  return {
    /** Runs a command to its end. */
    async run(command: string, input = '') {
      const { child, ended, stdout, output } = launch(command)
      child.stdin.end(input)
      return { code: await ended, stdout: stdout(), output: output() }
    },

    /** Starts a command that runs until it is stopped: it and what it has started. */
    start(command: string) {
      const { child, ended, output } = launch(command)
      return {
        output,
        async stop(): Promise<void> {
          if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
          await ended
        },
      }
    },
  }
}
