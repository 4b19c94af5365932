import { useState } from 'react'
import { useRefusal } from '../../../api/permissions.ts'
import { Button, ButtonAnchor } from '../../../ui/controls/button.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'

const PICTURES = ['image', 'sticker']

/** The file of a message. Pictures are shown here, after a click; other files are downloaded. */
export function MediaPreview({ message: { id, type } }: { message: MessageDetail }) {
  const t = useDrawerTexts()
  const refusal = useRefusal('messages:read')
  const [state, setState] = useState<'hidden' | 'shown' | 'failed'>('hidden')
  const address = `/console/messages/${id}/media`
  return (
    <div className="flex flex-col items-start gap-2">
      {state === 'shown' && (
        <img
          src={address}
          alt={t('fileOf')}
          onError={() => setState('failed')}
          className="max-h-80 max-w-full rounded-card border border-line"
        />
      )}
      {state === 'failed' && <p className="text-danger">{t('fileFailed')}</p>}
      <span className="flex flex-wrap items-center gap-2">
        {state === 'hidden' && PICTURES.includes(type) && (
          <Button size="bar" icon="image" reason={refusal} onClick={() => setState('shown')}>
            {t('showFile')}
          </Button>
        )}
        {refusal === undefined && (
          <ButtonAnchor href={address} download size="bar" icon="download">
            {t('download')}
          </ButtonAnchor>
        )}
      </span>
      <p className="text-meta text-text-3">{t('fileText')}</p>
    </div>
  )
}
