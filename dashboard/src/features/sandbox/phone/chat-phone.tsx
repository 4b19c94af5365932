import type { Conversation, MessageEntry } from '@hubline/sdk/console'
import { useEffect, useRef } from 'react'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { formatDay, formatPhone } from '../../../lib/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PhoneFrame } from '../../../ui/phone/phone-frame.tsx'
import { useErrorText } from '../../../ui/states/error-text.tsx'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { type Customer, useCustomer } from '../use-customer.ts'
import { listArrived } from './arrived.ts'
import { ChatBubble } from './chat-bubble.tsx'
import { Composer } from './composer.tsx'
import { keepPicture } from './pictures.ts'

type ChatPhoneProps = {
  channelId: string
  conversation: Conversation
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
  const { channelId, conversation, log, customer, isOffline, selected, onSelect, onWritten } = props
  const t = useSandboxTexts()
  const readError = useErrorText()
  const role = useRoleRefusal('developer')
  const refusal = role ?? (isOffline ? t('isOffline') : undefined)
  const write = useCustomer(channelId, customer, onWritten)
  const { number } = conversation
  const messages = listArrived(conversation.messages, log)
  const list = useRef<HTMLDivElement>(null)
  const length = messages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message scrolls the chat, as on a phone.
  useEffect(() => void list.current?.scrollTo({ top: list.current.scrollHeight }), [length, customer.phone])

  const bubbles = messages.filter(({ type }) => type !== 'reaction')
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
      footer={
        <Composer
          refusal={refusal}
          isBusy={write.isPending}
          onSend={(message) =>
            write.mutateAsync(message).then(
              ({ id }) => {
                keepPicture(id, message)
                return true
              },
              () => false,
            )
          }
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard. */}
      <div ref={list} tabIndex={0} role="log" aria-label={t('chat')} className="min-h-0 flex-1 overflow-y-auto p-3">
        <p className="mx-auto mb-3 max-w-64 rounded-card bg-warn-soft px-3 py-1.5 text-center text-meta text-warn">
          {t('likeness')}
        </p>
        {bubbles.length === 0 && <p className="mt-8 text-center text-meta text-text-2">{t('emptyChat')}</p>}
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
                onWrite={(reply) => write.mutate(reply)}
              />,
            ]
          })}
        </ol>
        {write.error && (
          <p role="alert" className="mt-2 rounded-card bg-danger-soft px-3 py-2 text-meta text-danger">
            {readError(write.error).message}
          </p>
        )}
      </div>
    </PhoneFrame>
  )
}
