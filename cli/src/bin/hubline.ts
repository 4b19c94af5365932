import { runCli } from '../cli.ts'

const interruption = new AbortController()
const { stdin, stdout, stderr, env } = process

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The second one does not wait for what the first has begun to end.
    if (interruption.signal.aborted) process.exit(130)
    interruption.abort()
  })
}
// `hubline … | head` ends the reader first.
stdout.on('error', () => process.exit(0))

const code = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interruption.signal })
// An open standard input would keep the process alive. What was printed to a pipe is written out first.
stdout.write('', () => process.exit(code))
