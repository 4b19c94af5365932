import { CLIENTS, NOT_DRIVEN } from './clients.ts'
import { type CallResult, createWorkshop, driveClient, installClient } from './driving.ts'
import { runSnippet } from './guide-snippets.ts'
import { type Row, writeTable } from './table.ts'
import { openWorld } from './world.ts'

/**
 * `npm run test:clients [-- name …]`: starts a hub with its embedded database and the simulator, installs client
 * libraries of the Cloud API into a temporary folder, and makes their calls at `/graph`. Without names it drives all
 * clients, and writes the table of the guide. Exits with 1 if a call fails for which `clients.ts` has no reason.
 */
const names = process.argv.slice(2)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

await using opened = new AsyncDisposableStack()
const { file } = await openWorld(opened, stopping.signal)
const rows: Row[] = []
for (const client of CLIENTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  stopping.signal.throwIfAborted()
  const workshop = await createWorkshop(opened)
  const failure = await installClient(workshop, client).catch((err: Error) => err)
  if (failure) {
    const reason = `${client.installer} could not install it`
    console.log(`${client.name} ${client.version}: not driven, ${reason}: ${failure.message}`)
    rows.push({ ...client, reason })
    continue
  }
  const results = [...(await runSnippet(workshop, client, file)), ...(await driveClient(workshop, client, file))]
  rows.push({ ...client, results })
  report(`${client.name} ${client.version}`, results, client.cannot ?? {})
}
for (const { name, reason } of NOT_DRIVEN) console.log(`${name}: not driven, ${reason}`)
if (names.length === 0) await writeTable([...rows, ...NOT_DRIVEN])

function report(title: string, results: CallResult[], cannot: Record<string, string>): void {
  const failed = results.filter(({ works }) => !works)
  console.log(`${title}: ${results.length - failed.length} of ${results.length} calls work`)
  for (const { name, problem } of failed) {
    console.log(`  ${name in cannot ? 'cannot' : 'FAILED'} ${name}: ${cannot[name] ?? problem}`)
    if (!(name in cannot)) process.exitCode = 1
  }
  for (const name of Object.keys(cannot)) {
    if (failed.some((one) => one.name === name)) continue
    console.log(`  FAILED ${name} works now: take its reason out of clients.ts`)
    process.exitCode = 1
  }
}
