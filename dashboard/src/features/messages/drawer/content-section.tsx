import type { RevealedMessage } from '@hubline/sdk/console'
import { useState } from 'react'
import { useRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { JsonBlock } from '../../../ui/data/code.tsx'
import { Masked } from '../../../ui/data/masked.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { DrawerSection } from '../../../ui/overlays/drawer.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useMessagesTexts } from '../messages-texts.ts'
import { useDrawerTexts } from './drawer-texts.ts'
import { MediaPreview } from './media-preview.tsx'
import type { MessageDetail } from './message-detail.ts'
import type { Reveal } from './use-reveal.ts'

/** Shows the content of the message, hidden until a person asks for it. */
export function ContentSection({ message, reveal }: { message: MessageDetail; reveal: Reveal }) {
  const t = useDrawerTexts()
  const m = useMessagesTexts()
  const refusal = useRefusal('messages:read')
  const { template, pricing, has_content, has_media } = message
  const category = typeof pricing?.category === 'string' ? pricing.category : undefined
  return (
    <DrawerSection
      title={t('content')}
      aside={
        !has_content ? undefined : reveal.content ? (
          <Button size="bar" icon="eye-off" onClick={reveal.hide}>
            {t('hide')}
          </Button>
        ) : (
          <Button size="bar" icon="eye" isBusy={reveal.isPending} reason={refusal} onClick={reveal.show}>
            {t('reveal')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {template && (
          <p className="flex flex-wrap gap-2">
            <Badge isCode>{template.name ?? '–'}</Badge>
            {template.language && <Badge tone="outline">{template.language}</Badge>}
            {category && <Badge tone="outline">{category}</Badge>}
          </p>
        )}
        {reveal.error && <FailureNotice error={reveal.error} />}
        {!has_content ? (
          <p className="text-text-3">{t('noContent')}</p>
        ) : reveal.content ? (
          <Revealed type={message.type} revealed={reveal.content} />
        ) : (
          <>
            {!template && <Masked label={m('hidden')} seed={message.id} />}
            <p className="text-text-3">{t('hiddenText')}</p>
          </>
        )}
        {has_media && <MediaPreview message={message} />}
      </div>
    </DrawerSection>
  )
}

/** The words of a message as words; all of it as JSON. */
function Revealed({ type, revealed }: { type: string; revealed: RevealedMessage }) {
  const t = useDrawerTexts()
  const [isJson, setJson] = useState(false)
  const words = findWords(type, revealed.content)
  return (
    <>
      {revealed.contact_name !== null && (
        <p className="text-text-3">{t('profileName', { name: revealed.contact_name })}</p>
      )}
      {words !== undefined && (
        <p className="rounded-card border border-line bg-sunken p-3 break-words whitespace-pre-wrap text-text">
          {words}
        </p>
      )}
      {words !== undefined && !isJson ? (
        <button type="button" onClick={() => setJson(true)} className="flex items-center gap-1 self-start text-accent">
          <Icon name="code" size={14} />
          {t('asJson')}
        </button>
      ) : (
        <JsonBlock label={t('content')} value={revealed.content} />
      )}
    </>
  )
}

function findWords(type: string, content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { body, caption, emoji, text } = content as Record<string, unknown>
  const words = { text: body, image: caption, video: caption, document: caption, reaction: emoji, button: text }[type]
  return typeof words === 'string' && words !== '' ? words : undefined
}
