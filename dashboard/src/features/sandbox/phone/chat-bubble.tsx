import { useState } from 'react'
import { formatClock, formatUtc } from '../../../lib/format.ts'
import { Menu } from '../../../ui/controls/menu.tsx'
import { StatusIcon, useStatusText } from '../../../ui/data/status.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Bubble, BubbleButton } from '../../../ui/phone/bubble.tsx'
import type { CustomerMessage } from '../customer.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import type { ArrivedMessage } from './arrived.ts'
import { BubbleContent } from './bubble-content.tsx'
import { ListDialog } from './list-dialog.tsx'

const EMOJIS = ['👍', '❤️', '😂', '😮', '🙏']

type ChatBubbleProps = {
  message: ArrivedMessage
  messages: readonly ArrivedMessage[]
  isSelected: boolean
  /** The reason why the customer cannot answer. */
  refusal: string | undefined
  onSelect: () => void
  onWrite: (message: CustomerMessage) => void
}

export function ChatBubble({ message, messages, isSelected, refusal, onSelect, onWrite }: ChatBubbleProps) {
  const t = useSandboxTexts()
  const isOwn = message.from === 'customer'
  const replied = messages.find(({ id }) => id === message.reply_to)
  const reaction = findReaction(messages, message.id)
  return (
    <Bubble
      isOwn={isOwn}
      isSelected={isSelected}
      onSelect={onSelect}
      selectLabel={t('selectBubble', { time: formatClock(message.at) })}
      meta={<Meta message={message} />}
      {...(reaction !== undefined && { badge: reaction })}
      actions={<Offers message={message} refusal={refusal} onWrite={onWrite} />}
      aside={
        !isOwn &&
        refusal === undefined && (
          <Menu
            items={EMOJIS.map((emoji) => ({
              label: emoji,
              onSelect: () => onWrite({ type: 'reaction', reaction: { message_id: message.id, emoji } }),
            }))}
            trigger={
              <button
                type="button"
                aria-label={t('react')}
                title={t('react')}
                className="flex size-7 items-center justify-center rounded-full bg-chat-other text-text-2 hover:text-text"
              >
                <Icon name="smile" size={14} />
              </button>
            }
          />
        )
      }
    >
      {replied && (
        <p className="mb-1 truncate rounded-badge border-l-2 border-accent bg-hover px-2 py-1 text-meta text-text-2">
          {replied.text ?? replied.type}
        </p>
      )}
      <BubbleContent message={message} />
    </Bubble>
  )
}

/** The customer sees one of their own reactions, the newest; an empty one takes it away. */
function findReaction(messages: readonly ArrivedMessage[], id: string): string | undefined {
  const latest = messages.findLast(({ reaction }) => reaction?.message_id === id)
  return latest?.reaction?.emoji || undefined
}

function Meta({ message: { at, status } }: { message: ArrivedMessage }) {
  const s = useStatusText()
  return (
    <>
      <time dateTime={at} title={formatUtc(at)}>
        {formatClock(at, 'minute')}
      </time>
      {/* The ticks are those of the business: a phone shows them to the sender only. Here both ends are seen. */}
      <span title={s(status)} className="flex items-center gap-1">
        <StatusIcon status={status} size={12} />
        <span className="sr-only">{s(status)}</span>
      </span>
    </>
  )
}

type OffersProps = Pick<ChatBubbleProps, 'message' | 'refusal' | 'onWrite'>

/** Buttons that answer when they are tapped, and a list that opens. */
function Offers({ message, refusal, onWrite }: OffersProps) {
  const [isOpen, setOpen] = useState(false)
  const { id: message_id, buttons, list } = message
  if (buttons.length === 0 && list === null) return null
  return (
    <>
      {buttons.map(({ type, id, title }) =>
        type === 'reply' && id !== null ? (
          <BubbleButton
            key={id}
            icon="replay"
            disabled={refusal !== undefined}
            onClick={() => onWrite({ type: 'button_reply', button_reply: { message_id, id } })}
          >
            {title}
          </BubbleButton>
        ) : (
          <BubbleButton key={title} icon="external">
            {title}
          </BubbleButton>
        ),
      )}
      {list && (
        <BubbleButton icon="list" disabled={refusal !== undefined} onClick={() => setOpen(true)}>
          {list.button}
        </BubbleButton>
      )}
      {list && isOpen && (
        <ListDialog
          list={list}
          onClose={() => setOpen(false)}
          onChoose={(id) => {
            setOpen(false)
            onWrite({ type: 'list_reply', list_reply: { message_id, id } })
          }}
        />
      )}
    </>
  )
}
