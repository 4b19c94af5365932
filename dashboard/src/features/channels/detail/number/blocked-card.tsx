import type { BlockedPerson } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { formatPhone } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { TextField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { NumberList, useNumberList } from './number-list.tsx'
import { useNumberTexts } from './number-texts.ts'
import { readPerson } from './person.ts'

const toKey = (channelId: string) => ['numbers', channelId, 'blocked']

export function BlockedCard({ channelId }: { channelId: string }) {
  const t = useNumberTexts()
  const list = useNumberList(toKey(channelId), (cursor) => hub.numbers.listBlocked(channelId, { cursor }).firstPage())
  return (
    <Card title={t('blocked')}>
      <div className="flex flex-col gap-4">
        <p>{t('blockedText')}</p>
        <BlockForm channelId={channelId} />
        <NumberList
          list={list}
          failed={t('blockedFailed')}
          rows={2}
          empty={<p className="text-text-3">{t('blockedNone')}</p>}
          toLine={(person) => <Line key={person.person} channelId={channelId} person={person} />}
        />
      </div>
    </Card>
  )
}

function BlockForm({ channelId }: { channelId: string }) {
  const t = useNumberTexts()
  const client = useQueryClient()
  const refusal = useRefusal('number:write')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const block = useMutation({
    mutationFn: (person: string) => hub.numbers.blockPeople(channelId, { people: [person] }),
    async onSuccess({ failed: [failed] }, person) {
      if (failed) return setProblem(t('blockRefused', { person, reason: failed.title ?? t('noReason') }))
      await client.invalidateQueries({ queryKey: toKey(channelId) })
      setText('')
      showToast(t('blockDone', { person }))
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    const person = readPerson(text)
    setProblem(person === undefined ? t('personInvalid') : undefined)
    if (person !== undefined) block.mutate(person)
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3">
      <TextField
        className="w-full"
        label={t('person')}
        hint={t('personHint')}
        error={problem}
        autoComplete="off"
        disabled={refusal !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {block.error && <FailureNotice error={block.error} />}
      <Button type="submit" isBusy={block.isPending} disabled={text.trim() === ''} reason={refusal}>
        {t('block')}
      </Button>
    </form>
  )
}

function Line({ channelId, person }: { channelId: string; person: BlockedPerson }) {
  const t = useNumberTexts()
  const client = useQueryClient()
  const refusal = useRefusal('number:write')
  const shown = person.wa_id === null ? person.person : formatPhone(person.wa_id)
  const unblock = useMutation({
    mutationFn: () => hub.numbers.unblockPeople(channelId, { people: [person.person] }),
    async onSuccess({ failed: [failed] }) {
      await client.invalidateQueries({ queryKey: toKey(channelId) })
      if (failed) showToast(t('blockRefused', { person: shown, reason: failed.title ?? t('noReason') }))
      else showToast(t('unblockDone', { person: shown }))
    },
  })
  return (
    <li className="flex flex-col gap-2 border-t border-line py-2">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 break-all text-text">{shown}</span>
        <Button
          size="bar"
          isBusy={unblock.isPending}
          reason={refusal}
          aria-label={t('unblockOf', { person: shown })}
          onClick={() => unblock.mutate()}
        >
          {t('unblock')}
        </Button>
      </div>
      {unblock.error && <FailureNotice error={unblock.error} />}
    </li>
  )
}
