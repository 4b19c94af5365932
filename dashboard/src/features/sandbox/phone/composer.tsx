import { type FormEvent, useRef, useState } from 'react'
import { Menu } from '../../../ui/controls/menu.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { CustomerMessage } from '../customer.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { readPicture } from './pictures.ts'

type ComposerProps = {
  text: string
  setText: (text: string) => void
  refusal: string | undefined
  isBusy: boolean
  onSend: (message: CustomerMessage) => Promise<void>
}

const PLACE = { latitude: -23.55052, longitude: -46.63331, name: 'Praça da Sé', address: 'São Paulo' }

/** The field in which the customer writes. */
export function Composer({ text, setText, refusal, isBusy, onSend }: ComposerProps) {
  const t = useSandboxTexts()
  const [isTooLarge, setTooLarge] = useState(false)
  const file = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const body = text.trim()
    if (body === '' || isBusy) return
    setText('')
    void onSend({ type: 'text', text: { body } })
  }
  async function sendPicture(chosen: File | undefined): Promise<void> {
    if (chosen === undefined) return
    const message = await readPicture(chosen)
    setTooLarge(message === undefined)
    if (message) await onSend(message)
  }
  const samples = (['video', 'document', 'audio', 'sticker'] as const).map((type) => ({
    label: t(`sample.${type}`),
    icon: ({ video: 'video', document: 'file', audio: 'mic', sticker: 'smile' } as const)[type],
    onSelect: () => void onSend({ type }),
  }))

  return (
    <form onSubmit={submit} className="p-2">
      {(refusal !== undefined || isTooLarge) && (
        <p role="status" className="px-2 pb-1 text-meta text-text-2">
          {refusal ?? t('tooLarge')}
        </p>
      )}
      <div className="flex items-center gap-2">
        <div className="flex h-10 min-w-0 flex-1 items-center gap-1 rounded-full bg-chat-other pr-1 pl-4 max-tablet:h-11">
          <input
            aria-label={t('writeAsCustomer')}
            placeholder={t('message')}
            value={text}
            maxLength={4096}
            autoComplete="off"
            disabled={refusal !== undefined}
            onChange={(event) => setText(event.target.value)}
            className="min-w-0 flex-1 bg-transparent text-text outline-none disabled:text-text-3"
          />
          <Menu
            align="end"
            items={[
              { label: t('picture'), icon: 'image', onSelect: () => file.current?.click() },
              { label: t('location'), icon: 'pin', onSelect: () => void onSend({ type: 'location', location: PLACE }) },
              ...samples,
            ]}
            trigger={
              <button
                type="button"
                aria-label={t('attach')}
                title={t('attach')}
                disabled={refusal !== undefined}
                className="flex size-8 shrink-0 items-center justify-center rounded-full text-text-2 hover:text-text"
              >
                <Icon name="clip" />
              </button>
            }
          />
          <input
            ref={file}
            type="file"
            accept="image/png,image/jpeg"
            aria-label={t('picture')}
            className="hidden"
            onChange={(event) => {
              void sendPicture(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </div>
        <button
          type="submit"
          aria-label={t('send')}
          title={t('send')}
          disabled={refusal !== undefined || isBusy}
          className="flex size-10 shrink-0 items-center justify-center rounded-full bg-chat-bar text-white disabled:opacity-60 max-tablet:size-11"
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  )
}
