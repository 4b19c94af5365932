import { HubApiError } from '@hubline/sdk'
import type { Command } from '../command.ts'
import { toOrigin } from '../names.ts'
import { type Probe, readProbe } from '../probes.ts'
import { STATUS_STYLES } from '../statuses.ts'
import { type Paint, sanitize } from '../terminal.ts'

export const status: Command = {
  name: 'status',
  summary: 'Show the hub, the plan, the channels and the webhooks',
  usage: '',
  positionals: { min: 0, max: 0 },

  async run({ loadSettings, connect, isJson, printJson, say, paint }) {
    const { url, source } = await loadSettings()
    const hub = await connect()
    const ready = await readProbe(url, '/ready')
    const channels = await hub.channels.list().toArray()
    const subscription = await hub.billing.getSubscription().catch(ignoreMissingScope)
    const webhooks = await hub.webhooks.list().toArray().catch(ignoreMissingScope)
    const counts = countBy(channels.map((channel) => channel.status))
    const paused = (webhooks ?? []).filter((webhook) => webhook.status === 'paused')
    const webhookCounts = webhooks && countBy(webhooks.map((webhook) => webhook.status))
    if (isJson) {
      const { plan = null, status: planStatus = null } = subscription?.subscription ?? {}
      const { isOk, isHeld } = ready
      const shown = { url, ready: isOk && !isHeld, held: isHeld, plan, plan_status: planStatus, channels: counts }
      return void printJson({
        ...shown,
        webhooks: webhookCounts ?? null,
        paused_webhooks: paused.map(({ id, name }) => ({ id, name: toOrigin(name) })),
      })
    }
    say(`${paint('bold', url)}  ${describeReady(ready, paint)}`)
    say(`Key from ${source}`)
    if (subscription) {
      const { plan, status: planStatus } = subscription.subscription
      const { channels: quota } = subscription.quotas
      say(
        `Plan ${plan}${planStatus === 'none' ? '' : ` (${planStatus})`}, channels ${quota.used} of ${quota.limit ?? 'any number'}`,
      )
    }
    const format = (byStatus: Record<string, number>) =>
      Object.entries(byStatus)
        .map(([name, count]) => paint(STATUS_STYLES[name] ?? 'bold', `${count} ${name}`))
        .join(', ')
    say(`Channels: ${format(counts) || 'none yet. Create one with `hubline connect --new <name>`.'}`)
    if (!webhookCounts) return
    say(`Webhooks: ${format(webhookCounts) || 'none yet. Create one with `hubline webhooks create <url>`.'}`)
    for (const { id, name } of paused) say(`  paused: ${sanitize(toOrigin(name))}, \`hubline webhooks activate ${id}\``)
  },
}

function describeReady({ isOk, isHeld, message }: Probe, paint: Paint): string {
  if (!isOk) return paint('red', `not ready: ${message}`)
  return isHeld ? paint('yellow', 'held: it sends and delivers nothing') : paint('green', 'ready')
}

/** The rest of the status does not need billing:read or webhooks:read. */
function ignoreMissingScope(err: unknown): undefined {
  if (err instanceof HubApiError && err.is('INSUFFICIENT_SCOPE')) return undefined
  throw err
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
