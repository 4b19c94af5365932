import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { TextField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { NumberFrame } from './number-list.tsx'
import { useNumberTexts } from './number-texts.ts'

export function UsernameCard({ channelId }: { channelId: string }) {
  const t = useNumberTexts()
  const query = useQuery({
    queryKey: ['numbers', channelId, 'username'],
    queryFn: () => hub.numbers.getUsername(channelId).then(({ username }) => username),
  })
  return (
    <Card title={t('username')}>
      <NumberFrame query={query} failed={t('usernameFailed')} rows={2}>
        {query.data && (
          <UsernameForm
            // The field has what the upstream accepted last.
            key={query.data.username}
            channelId={channelId}
            username={query.data.username}
            status={query.data.status}
          />
        )}
      </NumberFrame>
    </Card>
  )
}

function UsernameForm({
  channelId,
  username,
  status,
}: {
  channelId: string
  username: string | null
  status: string | null
}) {
  const t = useNumberTexts()
  const client = useQueryClient()
  const refusal = useRefusal('number:write')
  const [text, setText] = useState(username ?? '')
  const [isAsking, setAsking] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: ['numbers', channelId, 'username'] })
  const set = useMutation({
    mutationFn: () => hub.numbers.setUsername(channelId, { username: text.trim() }),
    async onSuccess() {
      await refresh()
      showToast(t('usernameSet'))
    },
  })
  const remove = useMutation({
    mutationFn: () => hub.numbers.deleteUsername(channelId),
    async onSuccess() {
      setAsking(false)
      await refresh()
      showToast(t('givenUp'))
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    set.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-4">
      <p>{t('usernameText')}</p>
      <TextField
        className="w-full"
        label={t('usernameLabel')}
        hint={t('usernameHint')}
        required
        minLength={3}
        maxLength={35}
        pattern="[A-Za-z0-9._]+"
        autoComplete="off"
        spellCheck={false}
        disabled={refusal !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="text-meta text-text-3">
        {username === null ? t('usernameNone') : t('usernameStatus', { status: status ?? '-' })}
      </p>
      {set.error && <FailureNotice error={set.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={set.isPending} disabled={text.trim() === (username ?? '')} reason={refusal}>
          {t('setUsername')}
        </Button>
        {username !== null && (
          <Button kind="danger" icon="trash" reason={refusal} onClick={() => setAsking(true)}>
            {t('giveUp')}
          </Button>
        )}
      </div>
      {isAsking && username !== null && (
        <ConfirmDialog
          title={t('giveUpTitle', { username })}
          action={t('giveUp')}
          name={username}
          isBusy={remove.isPending}
          error={remove.error && <FailureNotice error={remove.error} />}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('giveUpText')}</p>
        </ConfirmDialog>
      )}
    </form>
  )
}
