import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openLedger } from './ledger.ts'
import { createRandom } from './random.ts'

/** The webhook receivers, one for each path, in a process of their own. Each request is in the ledger before its answer. */
export type ReceiverOptions = { seed: number; ledger: string }
export type ReceiverOrder = { order: 'calm' }

const RESULTS = { ok: 88, fail: 5, hang: 1, 'reset before': 3, 'reset after': 3 }

const options = JSON.parse(process.argv[2] ?? '{}') as ReceiverOptions
const random = createRandom(options.seed, 'receivers')
const ledger = openLedger(options.ledger)
let isCalm = false

process.on('disconnect', () => process.exit(0))
process.on('message', ({ order }: ReceiverOrder) => {
  isCalm = order === 'calm'
})

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    // The body did not arrive, so there is nothing to record.
    return
  }
  const { headers, url: path = '' } = request
  // The many endpoints of one tenant always succeed: asking each for its retries would take longer than the run.
  const result = isCalm || path.includes('/crowd-') ? 'ok' : random.choose(RESULTS)
  const isTaken = result === 'ok' || result === 'reset after'
  ledger.write({
    at: Date.now(),
    path,
    deliveryId: headers['x-hub-delivery-id'],
    timestamp: headers['x-hub-timestamp'],
    version: headers['x-hub-signature-version'],
    signature: headers['x-hub-signature-256'],
    previousSignature: headers['x-hub-signature-256-previous'] ?? null,
    body: Buffer.concat(chunks).toString('base64'),
    isTaken,
    result,
  })
  if (result === 'ok') response.writeHead(200).end()
  else if (result === 'fail') response.writeHead(500).end()
  else if (result !== 'hang') response.destroy()
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
