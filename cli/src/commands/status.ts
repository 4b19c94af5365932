import { HubApiError } from '@hubline/sdk'
import type { Command } from '../command.ts'
import { readProbe } from '../probes.ts'
import { STATUS_STYLES } from '../statuses.ts'

export const status: Command = {
  name: 'status',
  summary: 'Show the hub, the plan and the channels',
  usage: '',
  positionals: { min: 0, max: 0 },

  async run({ loadSettings, connect, isJson, printJson, say, paint }) {
    const { url, source } = await loadSettings()
    const hub = await connect()
    const ready = await readProbe(url, '/ready')
    const channels = await hub.channels.list().toArray()
    const subscription = await hub.billing.getSubscription().catch(ignoreMissingScope)
    const counts = countBy(channels.map((channel) => channel.status))
    if (isJson) {
      const { plan = null, status: planStatus = null } = subscription?.subscription ?? {}
      return void printJson({ url, ready: ready.isOk, plan, plan_status: planStatus, channels: counts })
    }
    const isReady = ready.isOk ? paint('green', 'ready') : paint('red', `not ready: ${ready.message}`)
    say(`${paint('bold', url)}  ${isReady}`)
    say(`Key from ${source}`)
    if (subscription) {
      const { plan, status: planStatus } = subscription.subscription
      const { channels: quota } = subscription.quotas
      say(
        `Plan ${plan}${planStatus === 'none' ? '' : ` (${planStatus})`}, channels ${quota.used} of ${quota.limit ?? 'any number'}`,
      )
    }
    const parts = Object.entries(counts).map(([name, count]) =>
      paint(STATUS_STYLES[name] ?? 'bold', `${count} ${name}`),
    )
    say(`Channels: ${parts.length === 0 ? 'none yet. `hubline connect --new <name>` makes one.' : parts.join(', ')}`)
  },
}

/** The rest of the status does not need billing:read. */
function ignoreMissingScope(err: unknown): undefined {
  if (err instanceof HubApiError && err.is('INSUFFICIENT_SCOPE')) return undefined
  throw err
}

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
