import type { QrCode } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { Button, ButtonAnchor, IconButton } from '../../../../ui/controls/button.tsx'
import { CopyButton } from '../../../../ui/controls/copy.tsx'
import { TextField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { Dialog } from '../../../../ui/overlays/dialog.tsx'
import { EmptyState, FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { NumberList, useNumberList } from './number-list.tsx'
import { useNumberTexts } from './number-texts.ts'

const MESSAGE_LENGTH_MAX = 140

const toKey = (channelId: string) => ['numbers', channelId, 'qr-codes']

export function QrCodesCard({ channelId }: { channelId: string }) {
  const t = useNumberTexts()
  const list = useNumberList(toKey(channelId), (cursor) =>
    hub.numbers.listQrCodes(channelId, { image: 'svg', cursor }).firstPage(),
  )
  return (
    <Card title={t('qrCodes')}>
      <div className="flex flex-col gap-4">
        <p>{t('qrText')}</p>
        <CreateForm channelId={channelId} />
        <NumberList
          list={list}
          failed={t('qrFailed')}
          rows={3}
          empty={
            <EmptyState title={t('qrNone')}>
              <p>{t('qrNoneText')}</p>
            </EmptyState>
          }
          toLine={(qrCode) => <Line key={qrCode.code} channelId={channelId} qrCode={qrCode} />}
        />
      </div>
    </Card>
  )
}

function CreateForm({ channelId }: { channelId: string }) {
  const t = useNumberTexts()
  const client = useQueryClient()
  const refusal = useRefusal('number:write')
  const [text, setText] = useState('')
  const create = useMutation({
    mutationFn: () => hub.numbers.createQrCode(channelId, { prefilled_message: text.trim() }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: toKey(channelId) })
      setText('')
      showToast(t('qrCreated'))
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3">
      <TextField
        className="w-full"
        label={t('qrMessage')}
        hint={t('qrHint')}
        required
        maxLength={MESSAGE_LENGTH_MAX}
        disabled={refusal !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {create.error && <FailureNotice error={create.error} />}
      <Button type="submit" icon="plus" isBusy={create.isPending} disabled={text.trim() === ''} reason={refusal}>
        {t('qrCreate')}
      </Button>
    </form>
  )
}

function Line({ channelId, qrCode }: { channelId: string; qrCode: QrCode }) {
  const t = useNumberTexts()
  const refusal = useRefusal('number:write')
  const [asked, setAsked] = useState<'change' | 'delete'>()
  const { code, prefilled_message, deep_link_url, qr_image_url } = qrCode
  return (
    <li className="flex flex-wrap items-center gap-3 border-t border-line py-3">
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="break-words text-text">{prefilled_message}</span>
        <span className="flex flex-wrap items-center gap-1 text-meta text-text-3">
          <code className="break-all font-mono">{deep_link_url}</code>
          <CopyButton text={deep_link_url} label={t('qrLink', { code })} />
        </span>
      </div>
      <div className="flex items-center gap-1">
        {qr_image_url !== null && (
          <ButtonAnchor
            size="bar"
            icon="external"
            href={qr_image_url}
            target="_blank"
            rel="noreferrer"
            aria-label={t('qrPicture', { code })}
          >
            SVG
          </ButtonAnchor>
        )}
        {refusal === undefined && (
          <>
            <IconButton icon="text" label={`${t('qrChange')}: ${code}`} onClick={() => setAsked('change')} />
            <IconButton icon="trash" label={`${t('qrDelete')}: ${code}`} onClick={() => setAsked('delete')} />
          </>
        )}
      </div>
      {asked === 'change' && <ChangeDialog channelId={channelId} qrCode={qrCode} onClose={() => setAsked(undefined)} />}
      {asked === 'delete' && <DeleteDialog channelId={channelId} code={code} onClose={() => setAsked(undefined)} />}
    </li>
  )
}

function ChangeDialog({ channelId, qrCode, onClose }: { channelId: string; qrCode: QrCode; onClose: () => void }) {
  const t = useNumberTexts()
  const client = useQueryClient()
  const [text, setText] = useState(qrCode.prefilled_message)
  const change = useMutation({
    mutationFn: () => hub.numbers.updateQrCode(channelId, qrCode.code, { prefilled_message: text.trim() }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: toKey(channelId) })
      showToast(t('qrChanged'))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('qrChangeTitle', { code: qrCode.code })}
      onClose={onClose}
      footer={
        <Button kind="primary" isBusy={change.isPending} disabled={text.trim() === ''} onClick={() => change.mutate()}>
          {t('qrSave')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{t('qrChangeText')}</p>
        <TextField
          label={t('qrMessage')}
          maxLength={MESSAGE_LENGTH_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {change.error && <FailureNotice error={change.error} />}
      </div>
    </Dialog>
  )
}

function DeleteDialog({ channelId, code, onClose }: { channelId: string; code: string; onClose: () => void }) {
  const t = useNumberTexts()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => hub.numbers.deleteQrCode(channelId, code),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: toKey(channelId) })
      showToast(t('qrDeleted'))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('qrDeleteTitle', { code })}
      onClose={onClose}
      footer={
        <Button kind="danger" icon="trash" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {t('qrDelete')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p>{t('qrDeleteText')}</p>
        {remove.error && <FailureNotice error={remove.error} />}
      </div>
    </Dialog>
  )
}
