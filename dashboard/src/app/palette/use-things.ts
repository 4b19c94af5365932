import type { Channel } from '@hubline/sdk'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { channelsQuery } from '../../api/channels.ts'
import { hub } from '../../api/hub.ts'
import { membersQuery, newestKeysQuery } from '../../api/members.ts'
import { lacksSecondFactor, useSession } from '../../api/session.ts'
import { subscriptionQuery } from '../../api/subscription.ts'
import { pausesQuery, webhooksQuery } from '../../api/webhooks.ts'
import { groupByName, type TemplateGroup } from '../../features/templates/template.ts'
import { readTemplates, templatesQuery } from '../../features/templates/templates-query.ts'
import { createTurns } from '../../lib/turns.ts'
import { includesText } from './match.ts'

/** The upstream lists templates by account, and each list is a call of it. */
const ACCOUNTS_AT_ONCE = 4
const TEMPLATES_FRESH_MS = 300_000
const INVOICES_MAX = 20
const PAUSES_MAX = 3
/** Lists from other services are read once somebody looks for something. */
const LETTERS_MIN = 2

export type Things = ReturnType<typeof useThings>

export type FoundTemplate = { channel: Channel; group: TemplateGroup }

/** Everything that has a name. A list that could not be read is left out, and `error` says why. */
export function useThings(typed: string) {
  const session = useSession()
  const { organization } = session
  const isOpen = !lacksSecondFactor(session)
  const isLooking = isOpen && typed.trim().length >= LETTERS_MIN && !typed.startsWith('>')
  const channels = useQuery({ ...channelsQuery, enabled: isOpen })
  const webhooks = useQuery({ ...webhooksQuery, enabled: isOpen })
  const members = useQuery({ ...membersQuery, enabled: isLooking })
  const keys = useQuery({ ...newestKeysQuery, enabled: isLooking })
  const subscription = useQuery({ ...subscriptionQuery, enabled: isLooking })
  // Without billing nothing is limited, and there are no invoices.
  const hasInvoices = subscription.data !== undefined && subscription.data.quotas.channels.limit !== null
  const invoices = useQuery({ ...invoicesQuery(organization.id), enabled: isLooking && hasInvoices })
  const templates = useTemplates(channels.data ?? [], isLooking)
  const paused = (webhooks.data ?? []).filter(({ name, status }) => status === 'paused' && includesText(name, typed))
  const pauses = useQueries({
    queries: paused.slice(0, PAUSES_MAX).map(({ id }) => ({ ...pausesQuery(id), enabled: isLooking })),
    combine: (results) =>
      new Map(results.map(({ data }, index) => [paused[index]?.id, data?.find(({ to }) => to === null)])),
  })
  const lists = [channels, webhooks, members, keys, invoices]
  return {
    channels: channels.data ?? [],
    webhooks: webhooks.data ?? [],
    pauses,
    members: members.data ?? [],
    keys: keys.data ?? [],
    invoices: invoices.data ?? [],
    templates: templates.found,
    isLoading: isLooking && (templates.isLoading || lists.some((list) => list.isLoading)),
    error: lists.find(({ error }) => error !== null)?.error ?? templates.error,
  }
}

const readInTurn = createTurns(ACCOUNTS_AT_ONCE)

/** One channel of each account has all its templates. They are found account by account. */
function useTemplates(channels: readonly Channel[], isLooking: boolean) {
  const connected = channels.filter(
    ({ waba_id, status }) => waba_id !== null && ['active', 'degraded'].includes(status),
  )
  const accounts = [...new Map(connected.map((channel) => [channel.waba_id, channel])).values()]
  return useQueries({
    queries: accounts.map(({ id }) => ({
      ...templatesQuery(id),
      queryFn: () => readInTurn(() => readTemplates(id)),
      staleTime: TEMPLATES_FRESH_MS,
      enabled: isLooking,
    })),
    combine: (results) => ({
      found: results.flatMap(({ data }, index): FoundTemplate[] => {
        const channel = accounts[index]
        return channel && data ? groupByName(data).map((group) => ({ channel, group })) : []
      }),
      isLoading: results.some((result) => result.isLoading),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  })
}

function invoicesQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['invoices', organizationId, 'newest'],
    queryFn: async () => (await hub.console.listInvoices(organizationId, { limit: INVOICES_MAX }).firstPage()).items,
  })
}
