import type { MessageEntry } from '@hubline/sdk/console'
import { useEffect, useRef } from 'react'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { formatDay, formatPhone } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PhoneFrame } from '../../../ui/phone/phone-frame.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import type { Customer, CustomerMessage } from '../customer.ts'
import { useDraft } from '../drafts.ts'
import type { Chat } from '../merge.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { useRowPage } from '../stream/use-row-page.ts'
import { keepUnsent, useUnsent } from '../unsent.ts'
import { useCustomer } from '../use-customer.ts'
import { listArrived } from './arrived.ts'
import { ChatBubble } from './chat-bubble.tsx'
import { Composer } from './composer.tsx'
import { UnsentBubble } from './unsent-bubble.tsx'

/** So many bubbles are in the document at a time. */
const PAGE_LENGTH = 20

type ChatPhoneProps = {
  channelId: string
  chat: Chat
  /** Reads messages from before the first that is known. */
  earlier: { isBusy: boolean; error: Error | null; load: (before: string) => void }
  /** The newest messages of the channel, as the hub has them. */
  log: readonly MessageEntry[]
  customer: Customer
  isOffline: boolean
  selected: string | null
  onSelect: (wamid: string) => void
  onWritten: () => void
}

/** The phone of a customer, with their chat with the channel. */
export function ChatPhone(props: ChatPhoneProps) {
  const { channelId, chat, earlier, log, customer, isOffline, selected, onSelect, onWritten } = props
  const t = useSandboxTexts()
  const role = useRoleRefusal('developer')
  const refusal = role ?? (isOffline ? t('isOffline') : undefined)
  const write = useCustomer(channelId, onWritten)
  const unsent = useUnsent('customer', channelId, customer.phone)
  const [text, setText] = useDraft('customer', channelId, customer.phone)
  const { number } = chat
  const messages = listArrived(chat.messages, log)
  const list = useRef<HTMLDivElement>(null)
  const newest = messages.filter(({ type }) => type !== 'reaction').toReversed()
  const page = useRowPage(newest, ({ id }) => id, { size: PAGE_LENGTH, wanted: selected ?? undefined })
  const bubbles = page.rows.toReversed()
  const last = bubbles.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message scrolls the chat, as on a phone.
  useEffect(
    () => void list.current?.scrollTo({ top: list.current.scrollHeight }),
    [last, unsent.length, customer.phone],
  )

  function showEarlier(): void {
    const first = chat.messages[0]?.id
    if (!page.hasEarlier && first !== undefined) earlier.load(first)
    page.showEarlier()
  }
  function send(message: CustomerMessage): Promise<void> {
    page.showLatest()
    return write.mutateAsync({ customer, message }).then(
      () => undefined,
      (error: unknown) => keepUnsent({ kind: 'customer', channelId, customer, message, error }),
    )
  }
  return (
    <PhoneFrame
      label={t('phoneOf', { name: customer.name })}
      name={number.verified_name}
      below={`${t('business')} · ${formatPhone(number.display_phone_number)}`}
      signal={
        isOffline ? (
          <span className="flex items-center gap-1">
            <Icon name="ring-minus" size={12} />
            {t('offline')}
          </span>
        ) : (
          <Icon name="battery" size={16} />
        )
      }
      footer={<Composer text={text} setText={setText} refusal={refusal} isBusy={write.isPending} onSend={send} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard. */}
      <div ref={list} tabIndex={0} role="log" aria-label={t('chat')} className="min-h-0 flex-1 overflow-y-auto p-3">
        <p className="mx-auto mb-3 max-w-64 rounded-card bg-warn-soft px-3 py-1.5 text-center text-meta text-warn">
          {t('likeness')}
        </p>
        {(page.hasEarlier || chat.hasEarlier) && (
          <TurnButton text={t('earlierMessages')} isBusy={earlier.isBusy} onClick={showEarlier} />
        )}
        {earlier.error && <FailureNotice error={earlier.error} />}
        {bubbles.length === 0 && unsent.length === 0 && (
          <p className="mt-8 text-center text-meta text-text-2">{t('emptyChat')}</p>
        )}
        <ol className="flex flex-col gap-1.5">
          {bubbles.map((message, position) => {
            const day = formatDay(message.at)
            const isNewDay = position === 0 || formatDay(bubbles[position - 1]?.at ?? '') !== day
            return [
              isNewDay && (
                <li key={day} className="mx-auto rounded-control bg-chat-other px-2 py-0.5 text-axis text-text-2">
                  {day === formatDay(new Date()) ? t('today') : day}
                </li>
              ),
              <ChatBubble
                key={message.id}
                message={message}
                messages={messages}
                isSelected={message.id === selected}
                refusal={refusal}
                onSelect={() => onSelect(message.id)}
                onWrite={(reply) => void send(reply)}
              />,
            ]
          })}
        </ol>
        {page.hasLater && <TurnButton text={t('laterMessages')} onClick={page.showLater} />}
        {!page.hasLater && unsent.length > 0 && (
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {unsent.map((one) => (
              <UnsentBubble key={one.id} unsent={one} refusal={refusal} onWritten={onWritten} />
            ))}
          </ul>
        )}
      </div>
    </PhoneFrame>
  )
}

type TurnButtonProps = { text: string; isBusy?: boolean; onClick: () => void }

function TurnButton({ text, isBusy = false, onClick }: TurnButtonProps) {
  return (
    <p className="my-2 flex justify-center">
      <Button size="bar" isBusy={isBusy} onClick={onClick}>
        {text}
      </Button>
    </p>
  )
}
