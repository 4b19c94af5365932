import { DemoError } from './demo-error.ts'
import { createNarrator } from './narrator.ts'
import { tellStory } from './story.ts'

/**
 * `npm run demo`: the life of a message from sign-up to replay, in a terminal, on a hub of its own that is gone
 * afterwards. Exits with 1 if a step fails, and with 130 after Ctrl-C.
 */
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
// A reader that ends early, as in `npm run demo | head`, must not leave a hub behind.
process.stdout.on('error', () => stopping.abort())

const narrator = createNarrator(process.stdout, process.env)
try {
  await using opened = new AsyncDisposableStack()
  await tellStory({ narrator, opened, signal: stopping.signal })
  narrator.step('End', 'The demo stops the hub and its database, and deletes its temporary directory.')
} catch (err) {
  process.exitCode = stopping.signal.aborted ? 130 : 1
  if (stopping.signal.aborted) process.stderr.write('\nStopped. The hub, its database and its directory are gone.\n')
  else process.stderr.write(`\nThe demo failed in step ${narrator.current()}.\n${explain(err)}\n`)
}

function explain(err: unknown): string {
  if (err instanceof DemoError) return err.message
  return err instanceof Error ? (err.stack ?? err.message) : String(err)
}
