import { Icon, type IconName } from '../../ui/icon.tsx'
import { Bubble, BubbleButton } from '../../ui/phone/bubble.tsx'
import { PhoneFrame } from '../../ui/phone/phone-frame.tsx'
import { RichText } from '../../ui/phone/rich-text.tsx'
import type { TemplateComponent } from './template.ts'
import { useTemplateTexts } from './templates-texts.ts'

const BUTTON_ICONS: Record<string, IconName> = { QUICK_REPLY: 'replay', URL: 'external', PHONE_NUMBER: 'phone' }
const MEDIA_ICONS: Record<string, IconName> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'file' }

type PreviewProps = {
  businessName: string
  components: readonly TemplateComponent[]
  /** Values in the place of variables. */
  samples?: Record<string, string>
  /** The picture of the header, where the file is at hand. */
  mediaUrl?: string | undefined
}

/** A template as the customer's phone shows it. */
export function TemplatePreview({ businessName, components, samples = {}, mediaUrl }: PreviewProps) {
  const t = useTemplateTexts()
  const find = (type: string) => components.find((component) => component.type.toUpperCase() === type)
  const [header, body, footer, buttons] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].map(find)
  const fill = (text = '') => text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) => samples[name] || whole)
  /** Meta writes the text of a code itself, in the language of the template. */
  const describeCode = (code: TemplateComponent | undefined) =>
    code && `${t('codeText', { code: '*123456*' })}${code.add_security_recommendation ? ` ${t('codeWarning')}` : ''}`
  const minutes = footer?.code_expiration_minutes
  const footerText = footer?.text ?? (minutes === undefined ? undefined : t('codeExpires', { count: minutes }))
  return (
    <PhoneFrame label={t('preview')} name={businessName} below={t('business')}>
      <ul className="min-h-64 flex-1 overflow-y-auto p-3">
        <Bubble
          meta={null}
          actions={buttons?.buttons?.map(({ type, text }, position) => (
            <BubbleButton key={position} icon={BUTTON_ICONS[type.toUpperCase()] ?? 'link'}>
              {text ?? (type.toUpperCase() === 'OTP' ? t('copyCode') : type)}
            </BubbleButton>
          ))}
        >
          {header && <Header header={header} text={fill(header.text)} mediaUrl={mediaUrl} />}
          <RichText text={body?.text === undefined ? (describeCode(body) ?? '') : fill(body.text)} />
          {footerText && <p className="mt-1 text-meta text-text-3">{footerText}</p>}
        </Bubble>
      </ul>
    </PhoneFrame>
  )
}

function Header({ header, text, mediaUrl }: { header: TemplateComponent; text: string; mediaUrl: string | undefined }) {
  const t = useTemplateTexts()
  const format = (header.format ?? '').toUpperCase()
  const icon = MEDIA_ICONS[format]
  if (icon === undefined) return <p className="mb-1 font-semibold">{text}</p>
  if (mediaUrl !== undefined) {
    return (
      <img src={mediaUrl} alt={t('media', { format })} className="mb-2 max-h-48 w-full rounded-control object-cover" />
    )
  }
  return (
    <p className="mb-2 flex h-28 items-center justify-center rounded-control bg-sunken text-text-3">
      <Icon name={icon} size={20} />
      <span className="sr-only">{t('media', { format })}</span>
    </p>
  )
}
