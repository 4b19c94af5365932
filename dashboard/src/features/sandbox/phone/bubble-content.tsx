import { formatNumber } from '../../../lib/format.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { RichText } from '../../../ui/phone/rich-text.tsx'
import { useSandboxTexts } from '../sandbox-texts.ts'
import type { ArrivedMessage } from './arrived.ts'
import { getPicture } from './pictures.ts'

const ICONS: Record<string, IconName> = {
  image: 'image',
  video: 'video',
  audio: 'mic',
  document: 'file',
  sticker: 'smile',
  location: 'pin',
}

export function BubbleContent({ message }: { message: ArrivedMessage }) {
  const { header, text, footer, media, location, type } = message
  const isUnknown = text === null && media === null && location === null && header === null
  return (
    <>
      {header !== null && <p className="font-semibold">{header}</p>}
      {media !== null && <MediaPart message={message} />}
      {location !== null && <LocationPart location={location} />}
      {text !== null && text !== '' && <RichText text={text} />}
      {isUnknown && <span className="font-mono text-meta text-text-2">{type}</span>}
      {footer !== null && <p className="text-meta text-text-2">{footer}</p>}
    </>
  )
}

function MediaPart({ message: { id, type, media } }: { message: ArrivedMessage }) {
  const t = useSandboxTexts()
  const picture = getPicture(id)
  if (picture !== undefined) return <img src={picture} alt={t('picture')} className="mb-1 max-h-48 rounded-control" />
  return (
    <p className="mb-1 flex items-center gap-2 rounded-control bg-hover px-3 py-2 text-text-2">
      <Icon name={ICONS[type] ?? 'file'} size={20} />
      <span className="min-w-0 truncate">{media?.filename ?? media?.link ?? media?.mime_type ?? type}</span>
    </p>
  )
}

function LocationPart({ location }: { location: NonNullable<ArrivedMessage['location']> }) {
  const { name, address, latitude, longitude } = location
  return (
    <p className="mb-1 flex items-center gap-2 rounded-control bg-hover px-3 py-2 text-text-2">
      <Icon name="pin" size={20} />
      <span className="flex min-w-0 flex-col">
        {name !== null && <span className="font-medium text-text">{name}</span>}
        {address !== null && <span>{address}</span>}
        <span className="text-meta">
          {[latitude, longitude].map((degrees) => formatNumber(degrees, { maximumFractionDigits: 5 })).join(' ; ')}
        </span>
      </span>
    </p>
  )
}
