import { createInterface } from 'node:readline'
import { openEmbeddedPostgres } from '../embedded-postgres.ts'

// A process for the tests: opens the database with the options of its argument, prints one line, and closes at the end of its input.
const { hub, ...openOptions } = JSON.parse(process.argv[2] ?? '{}')
try {
  await using embedded = await openEmbeddedPostgres(openOptions)
  if (hub) await embedded.claimHub()
  console.log(JSON.stringify({ options: embedded.options, directory: embedded.directory }))
  for await (const _ of createInterface({ input: process.stdin })) break
} catch (err) {
  console.log(JSON.stringify({ error: err instanceof Error ? err.message : String(err) }))
  process.exitCode = 1
}
