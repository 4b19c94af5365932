import type { Delivery } from '@hubline/sdk'
import type { Command, Context } from '../command.ts'
import { readText } from '../command.ts'
import { DELIVERY_STATUSES } from '../generated/definitions.gen.ts'
import { findWebhookId } from '../names.ts'
import { poll } from '../polling.ts'
import { formatTime, STATUS_STYLES, toStatusCell } from '../statuses.ts'

export const deliveries: Command = {
  name: 'deliveries',
  summary: "List a webhook's 50 most recent deliveries, or follow them",
  usage: '<webhook> [--watch]',
  options: {
    watch: { type: 'boolean', short: 'f', description: 'Keep printing changes until Ctrl-C' },
    status: {
      type: 'string',
      value: 'status',
      choices: DELIVERY_STATUSES,
      description: 'List only deliveries with this status',
    },
  },
  positionals: { min: 1, max: 1 },
  examples: ['hubline deliveries CRM --status dead', 'hubline deliveries CRM --watch'],

  async run(context, { values, positionals: [name = ''] }) {
    const hub = await context.connect()
    const webhookId = await findWebhookId(hub, name)
    const wanted = readText(values, 'status')
    const read = async () =>
      (await hub.webhooks.listDeliveries(webhookId).toArray()).filter(
        ({ status }) => wanted === undefined || status === wanted,
      )
    if (values.watch === true) return watch(context, read)
    const found = await read()
    if (context.isJson) return void context.printData({ deliveries: found })
    const rows = found.map((one) => [
      formatTime(one.created_at),
      one.event,
      toStatusCell(one.status),
      String(one.attempts),
      formatResult(one),
      one.id,
    ])
    context.table(['TIME', 'EVENT', 'STATUS', 'ATTEMPTS', 'RESULT', 'ID'], rows, 'No deliveries.')
    return undefined
  },
}

/** Prints each delivery, and again when its status or its attempts change. */
async function watch(context: Context, read: () => Promise<Delivery[]>): Promise<number> {
  const seen = new Map<string, string>()
  const { isJson, printJson, say, paint } = context
  await poll(context, async () => {
    for (const one of (await read()).reverse()) {
      const state = `${one.status} ${one.attempts}`
      if (seen.get(one.id) === state) continue
      seen.set(one.id, state)
      const status = paint(STATUS_STYLES[one.status] ?? 'cyan', one.status.padEnd(10))
      if (isJson) printJson(one)
      else
        say(
          `${paint('dim', formatTime(one.created_at))}  ${status}  ${one.event.padEnd(20)}  ${formatResult(one).padEnd(10)}  ${one.id}`,
        )
    }
    return undefined
  })
  return 0
}

function formatResult({ last_error_code, last_http_status }: Delivery): string {
  return last_error_code ?? (last_http_status === null ? '-' : String(last_http_status))
}
