import { openWorld } from '../clients/world.ts'
import { GENERATORS, NOT_TRIED } from './generators.ts'
import { type Row, writeTable } from './guide.ts'
import { type HubOfRun, tryGenerator } from './running.ts'

/**
 * `npm run test:generators [-- name …]`: starts a hub with its embedded database and the simulator, generates clients from
 * its document with the commands of docs/guides/generated-clients.md, and runs the programs of that page. Without names it
 * tries all generators, and writes the table of the guide. Exits with 1 if one of them fails.
 */
const names = process.argv.slice(2)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

await using opened = new AsyncDisposableStack()
const { world } = await openWorld(opened, stopping.signal)
const { token, channelId, contact, graph } = world
const hub: HubOfRun = { url: graph.replace(/\/graph$/, ''), token, channelId, contact }

const rows: Row[] = []
for (const generator of GENERATORS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  stopping.signal.throwIfAborted()
  const { name, language, version } = generator
  const outcome = await tryGenerator(generator, hub)
  if (!outcome.isTried) {
    console.log(`${name}: skipped, ${outcome.reason}`)
    rows.push({ name, language, version, result: `not tried: ${outcome.reason}` })
    continue
  }
  const { problem } = outcome
  console.log(`${name}: ${problem === undefined ? 'works' : `FAILED\n${problem}`}`)
  if (problem !== undefined) process.exitCode = 1
  rows.push({ name, language, version, result: problem === undefined ? 'sends, reads and is refused' : 'fails' })
}
for (const { name, reason } of NOT_TRIED) console.log(`${name}: skipped, ${reason}`)
if (names.length === 0) {
  await writeTable([...rows, ...NOT_TRIED.map((one) => ({ ...one, result: `not tried: ${one.reason}` }))])
}
