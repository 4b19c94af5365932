import { createInterface } from 'node:readline'
import { openEmbeddedPostgres } from '../embedded-postgres.ts'

// A process of its own for the tests: opens what its argument says, reports one line, closes when its input ends.
const { hub, ...opening } = JSON.parse(process.argv[2] ?? '{}')
try {
  await using embedded = await openEmbeddedPostgres(opening)
  if (hub) await embedded.claimHub()
  console.log(JSON.stringify({ options: embedded.options, directory: embedded.directory }))
  for await (const _ of createInterface({ input: process.stdin })) break
} catch (err) {
  console.log(JSON.stringify({ error: err instanceof Error ? err.message : String(err) }))
  process.exitCode = 1
}
