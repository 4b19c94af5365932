import type { Channel, MessageEntry } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { FIRST_CUSTOMER } from '../../api/sandbox.ts'
import { formatPhone } from '../../lib/format.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { AnswerBox } from './answer-box.tsx'
import type { Customer } from './customer.ts'
import { MakeItHard } from './faults/make-it-hard.tsx'
import type { Chat } from './merge.ts'
import { ChatPhone } from './phone/chat-phone.tsx'
import { CustomerMenu } from './phone/customer-menu.tsx'
import { faultsQuery, isConnected, latestCustomerQuery } from './queries.ts'
import { useSandboxTexts } from './sandbox-texts.ts'
import type { SandboxSearch } from './search.ts'
import { EventStream } from './stream/event-stream.tsx'
import { measurePath } from './stream/path.ts'
import { PathStrip } from './stream/path-strip.tsx'
import { listRows, type StreamRow, toMessageKey } from './stream/rows.ts'
import { useLinks } from './stream/use-links.ts'
import { useNewMessages } from './use-new-messages.ts'
import { useChat, useRecords } from './use-workbench.ts'

const NEW_CUSTOMER: Customer = { ...FIRST_CUSTOMER, username: null, hides_phone: false, user_id: null }

/** The stream goes back as far as the log that is read. */
const STREAM_MESSAGES = 30

const route = getRouteApi('/shell/simulator')

type SandboxWorkbenchProps = { channel: Channel; channels: readonly Channel[] }

/** One conversation of the channel: that of the address, or else the latest when the page is opened. */
export function SandboxWorkbench(props: SandboxWorkbenchProps) {
  const t = useSandboxTexts()
  const { customer } = route.useSearch()
  const latest = useQuery({ ...latestCustomerQuery(props.channel.id), enabled: customer === undefined })
  if (customer !== undefined) return <OpenConversation {...props} phone={String(customer)} />
  if (latest.data !== undefined) return <OpenConversation {...props} phone={(latest.data ?? NEW_CUSTOMER).phone} />
  if (latest.error === null) return <Skeleton />
  return <ErrorState title={t('chatFailed')} error={latest.error} onRetry={() => void latest.refetch()} />
}

function OpenConversation({ channel, channels, phone }: SandboxWorkbenchProps & { phone: string }) {
  const t = useSandboxTexts()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = search.show ?? 'all'
  const [created, setCreated] = useState<Customer>()
  const { chat, earlier } = useChat(channel.id, phone)
  const customers = chat.data?.customers ?? []
  const customer = describeCustomer(phone, { created, chat: chat.data })
  const { log, endpoints, deliveries, isLoading, error, retry } = useRecords(channel.id, customer)
  const links = useLinks(log, endpoints.length > 0)
  const { data: faults } = useQuery(faultsQuery(channel.id))
  const newMessages = useNewMessages(customers, phone)

  function change(part: { [Key in keyof SandboxSearch]?: SandboxSearch[Key] | undefined }): void {
    void navigate({ search: (before) => ({ ...before, ...part }) as SandboxSearch, replace: true })
  }
  if (chat.error && !chat.data) {
    return <ErrorState title={t('chatFailed')} error={chat.error} onRetry={() => void chat.refetch()} />
  }
  if (!chat.data) return <Skeleton />

  const { messages, number } = chat.data
  const sources = { chat: messages.slice(-STREAM_MESSAGES), log, deliveries, links }
  const all = listRows(sources, 'all')
  const rows = show === 'all' ? all : listRows(sources, show)
  const wamid = rows.find(({ key }) => key === search.row)?.wamid ?? null
  const subject = findSubject(log, wamid)
  const bubble = messages.find(({ id }) => id === subject?.upstream_message_id)
  const way = findWay(all, subject?.upstream_message_id)

  function selectBubble(id: string): void {
    const entry = log.find(({ upstream_message_id }) => upstream_message_id === id)
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
          newMessages={newMessages}
          onChange={(next) => {
            setCreated(next)
            change({ customer: Number(next.phone), row: undefined })
          }}
        />
        <ChatPhone
          channelId={channel.id}
          chat={chat.data}
          earlier={{ isBusy: earlier.isPending, error: earlier.error, load: earlier.mutate }}
          log={log}
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
          endpoint={
            way?.delivery.endpoint.name ?? (endpoints.find(({ status }) => status === 'active') ?? endpoints[0])?.name
          }
        />
        <EventStream
          rows={rows}
          isLoading={isLoading}
          error={error}
          onRetry={retry}
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

/** Describes the customer as they were described on this page, or else as the simulator knows them. */
function describeCustomer(phone: string, { created, chat }: { created: Customer | undefined; chat: Chat | undefined }) {
  const shown = chat?.customer?.phone === phone ? chat.customer : undefined
  const chosen = created?.phone === phone ? created : chat?.customers.find((one) => one.phone === phone)
  const usual = phone === NEW_CUSTOMER.phone ? NEW_CUSTOMER : { ...NEW_CUSTOMER, phone, name: formatPhone(phone) }
  const known = chosen ?? shown ?? usual
  return { ...known, user_id: known.user_id ?? shown?.user_id ?? null }
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
