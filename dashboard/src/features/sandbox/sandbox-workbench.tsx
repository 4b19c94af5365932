import type { Channel, MessageEntry } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { FIRST_CUSTOMER } from '../../api/sandbox.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { AnswerBox } from './answer-box.tsx'
import { MakeItHard } from './faults/make-it-hard.tsx'
import { ChatPhone } from './phone/chat-phone.tsx'
import { CustomerMenu } from './phone/customer-menu.tsx'
import { conversationQuery, deliveriesQuery, faultsQuery, isConnected, logQuery, sandboxKey } from './queries.ts'
import { useSandboxTexts } from './sandbox-texts.ts'
import type { SandboxSearch } from './search.ts'
import { EventStream } from './stream/event-stream.tsx'
import { measurePath } from './stream/path.ts'
import { PathStrip } from './stream/path-strip.tsx'
import { listRows, type StreamRow, toMessageKey } from './stream/rows.ts'
import { useLinks } from './stream/use-links.ts'
import type { Customer } from './use-customer.ts'

const NEW_CUSTOMER: Customer = { ...FIRST_CUSTOMER, username: null, hides_phone: false, user_id: null }

const route = getRouteApi('/shell/simulator')

type SandboxWorkbenchProps = { channel: Channel; channels: readonly Channel[] }

export function SandboxWorkbench({ channel, channels }: SandboxWorkbenchProps) {
  const t = useSandboxTexts()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = search.show ?? 'all'
  const [created, setCreated] = useState<Customer>()
  const phone = search.customer === undefined ? undefined : String(search.customer)
  const conversation = useQuery(conversationQuery(channel.id, phone))
  const log = useQuery(logQuery(channel.id))
  const deliveries = useQuery(deliveriesQuery(channel.id))
  const links = useLinks(log.data ?? [])
  const { data: faults } = useQuery(faultsQuery(channel.id))
  useLiveQueries(
    sandboxKey(channel.id),
    ({ kind, channel_id }) => channel_id === channel.id || kind.startsWith('delivery.') || kind.startsWith('endpoint.'),
  )

  function change(part: { [Key in keyof SandboxSearch]?: SandboxSearch[Key] | undefined }): void {
    void navigate({ search: (before) => ({ ...before, ...part }) as SandboxSearch, replace: true })
  }
  if (conversation.error && !conversation.data) {
    const retry = () => void conversation.refetch()
    return <ErrorState title={t('chatFailed')} error={conversation.error} onRetry={retry} />
  }
  if (!conversation.data) return <Skeleton />

  const { messages, customers, number } = conversation.data
  const shown = conversation.data.customer
  const chosen = created?.phone === phone ? created : customers.find((one) => one.phone === phone)
  const known = chosen ?? shown ?? customers[0] ?? NEW_CUSTOMER
  const customer = { ...known, user_id: known.user_id ?? shown?.user_id ?? null }
  const sources = { chat: messages, log: log.data ?? [], deliveries: deliveries.data?.deliveries ?? [], links }
  const all = listRows(sources, 'all')
  const rows = show === 'all' ? all : listRows(sources, show)
  const wamid = rows.find(({ key }) => key === search.row)?.wamid ?? null
  const subject = findSubject(log.data ?? [], wamid)
  const bubble = messages.find(({ id }) => id === subject?.upstream_message_id)
  const way = findWay(all, subject?.upstream_message_id)

  function selectBubble(id: string): void {
    const entry = log.data?.find(({ upstream_message_id }) => upstream_message_id === id)
    const key = entry ? toMessageKey(entry) : `phone-${id}`
    change({ row: key === search.row ? undefined : key, show: undefined })
  }
  return (
    <div className="flex h-full min-h-[720px] max-tablet:h-auto max-tablet:flex-col">
      <h1 className="sr-only">{t('title')}</h1>
      <div className="flex w-[392px] shrink-0 flex-col gap-3 border-r border-line bg-bg px-7 py-4 max-desktop:w-[340px] max-desktop:px-4 max-tablet:h-[80dvh] max-tablet:w-auto max-tablet:border-r-0 max-tablet:p-4">
        {channels.length > 1 && <ChannelMenu channel={channel} channels={channels} />}
        <CustomerMenu
          customers={customers}
          customer={customer}
          onChange={(next) => {
            setCreated(next)
            change({ customer: Number(next.phone), row: undefined })
          }}
        />
        <ChatPhone
          channelId={channel.id}
          conversation={conversation.data}
          log={log.data ?? []}
          customer={customer}
          isOffline={faults?.faults.phone_offline ?? false}
          selected={wamid}
          onSelect={selectBubble}
          onWritten={() => change({ row: undefined })}
        />
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <PathStrip
          times={subject && measurePath({ message: subject, bubble, journey: way?.journey })}
          endpoint={way?.delivery.endpoint.name ?? deliveries.data?.endpoints[0]?.name}
        />
        <EventStream
          rows={rows}
          isLoading={log.isPending || deliveries.isPending}
          show={show}
          openKey={search.row}
          wamid={wamid}
          onShow={(next) => change({ show: next === 'all' ? undefined : next, row: undefined })}
          onOpen={(row) => change({ row })}
        />
        <AnswerBox channelId={channel.id} customer={customer} onSent={() => change({ row: undefined })} />
        <MakeItHard channel={channel} quality={number.quality} />
      </div>
    </div>
  )
}

type DeliveryRow = Extract<StreamRow, { kind: 'delivery' }>

/** The delivery with which a message reached the code. */
function findWay(rows: readonly StreamRow[], wamid: string | null | undefined): DeliveryRow | undefined {
  return rows
    .filter((row): row is DeliveryRow => row.kind === 'delivery')
    .find((row) => row.wamid === wamid && row.journey !== undefined)
}

/** The message that the path is about: the selected one, or else the newest of the customer. */
function findSubject(log: readonly MessageEntry[], wamid: string | null): MessageEntry | undefined {
  if (wamid !== null) return log.find(({ upstream_message_id }) => upstream_message_id === wamid)
  return log.find(({ direction }) => direction === 'inbound')
}

function ChannelMenu({ channel, channels }: SandboxWorkbenchProps) {
  const t = useSandboxTexts()
  const navigate = route.useNavigate()
  return (
    <Menu
      items={channels.map(({ id, name, ...rest }) => ({
        label: isConnected({ id, name, ...rest }) ? name : `${name} · ${t('notConnectedShort')}`,
        isChecked: id === channel.id,
        onSelect: () => void navigate({ search: { channel: id } }),
      }))}
      trigger={
        <button
          type="button"
          title={t('chooseChannel')}
          className="flex h-8 w-full items-center gap-2 rounded-control border border-line-2 bg-surface px-2 shadow-1 hover:bg-hover max-tablet:h-11"
        >
          <Icon name="phone" size={14} className="text-text-3" />
          <span className="min-w-0 flex-1 truncate text-left font-medium text-text">{channel.name}</span>
          <Icon name="chevron-down" size={14} className="text-text-3" />
        </button>
      }
    />
  )
}
