import type { Channel } from '@hubline/sdk/console'
import { fillText, findComponent, type KnownTemplate } from '../../../../api/template-fields.ts'
import { formatClock, formatPhone } from '../../../../lib/format.ts'
import { useNow } from '../../../../ui/data/time.tsx'
import { Icon, type IconName } from '../../../../ui/icon.tsx'
import { Bubble, BubbleButton } from '../../../../ui/phone/bubble.tsx'
import { PhoneFrame } from '../../../../ui/phone/phone-frame.tsx'
import { RichText } from '../../../../ui/phone/rich-text.tsx'
import type { Draft } from './draft.ts'
import { useTestTexts } from './test-texts.ts'

/** The message as the person will see it, roughly. */
export function MessagePreview({ channel, draft }: { channel: Channel; draft: Draft }) {
  const t = useTestTexts()
  const { verified_name, name, display_phone_number } = channel
  const time = formatClock(new Date(useNow(10_000)), 'minute')
  return (
    <div className="flex h-[440px] w-full flex-col max-desktop:mx-auto max-desktop:max-w-80">
      <PhoneFrame
        label={t('preview')}
        name={verified_name ?? name}
        below={display_phone_number === null ? t('business') : formatPhone(display_phone_number)}
      >
        <ul className="min-h-0 flex-1 overflow-y-auto p-3">
          {draft.kind === 'template' && draft.template ? (
            <TemplateBubble template={draft.template} values={draft.values} time={time} />
          ) : (
            <Bubble meta={time}>
              {draft.kind === 'text' && draft.text.trim() !== '' ? (
                <RichText text={draft.text} />
              ) : (
                <span className="text-text-3">{t('previewEmpty')}</span>
              )}
            </Bubble>
          )}
        </ul>
      </PhoneFrame>
    </div>
  )
}

const MEDIA: Record<string, IconName> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'file', LOCATION: 'pin' }
const BUTTONS: Record<string, IconName> = { URL: 'external', PHONE_NUMBER: 'phone', COPY_CODE: 'copy' }

type TemplateBubbleProps = { template: KnownTemplate; values: Record<string, string>; time: string }

function TemplateBubble({ template, values, time }: TemplateBubbleProps) {
  const header = findComponent(template, 'HEADER')
  const footer = findComponent(template, 'FOOTER')
  const buttons = findComponent(template, 'BUTTONS')?.buttons ?? []
  const media = MEDIA[header?.format?.toUpperCase() ?? '']
  return (
    <Bubble
      meta={time}
      actions={
        buttons.length > 0 &&
        buttons.map(({ type, text }, position) => {
          const icon = BUTTONS[type]
          return (
            <BubbleButton key={position} {...(icon && { icon })}>
              {text ?? type}
            </BubbleButton>
          )
        })
      }
    >
      {media && (
        <span className="mb-1.5 flex h-24 items-center justify-center rounded-control bg-sunken text-text-3">
          <Icon name={media} size={20} />
        </span>
      )}
      {header?.text && <p className="font-semibold">{fillText(header.text, 'header', values)}</p>}
      <RichText text={fillText(findComponent(template, 'BODY')?.text ?? '', 'body', values)} />
      {footer?.text && <p className="mt-1 text-meta text-text-3">{footer.text}</p>}
    </Bubble>
  )
}
