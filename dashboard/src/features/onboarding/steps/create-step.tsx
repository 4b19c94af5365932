import { type FormEvent, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useNewChannelRefusal } from '../../../api/subscription.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import { useStep } from './use-step.ts'

export function CreateStep({ onSecret }: { onSecret: (secret: OneTimeSecret) => void }) {
  const t = useOnboardingTexts()
  const refusal = useNewChannelRefusal()
  const [name, setName] = useState('')
  const create = useStep(async () => {
    const { channel } = await hub.channels.create({ name: name.trim() })
    onSecret({ of: 'channel', secret: channel.token })
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (name.trim() !== '') create.mutate(undefined)
  }
  return (
    <form onSubmit={submit} className="flex w-full flex-col items-start gap-3">
      <p>{t('create.text')}</p>
      <TextField
        className="w-full max-w-96"
        label={t('channelName')}
        placeholder="Padaria Pão da Vila"
        value={name}
        required
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      {create.error && <FailureNotice error={create.error} />}
      <Button type="submit" kind="primary" icon="plus" isBusy={create.isPending} reason={refusal}>
        {t('create.do')}
      </Button>
    </form>
  )
}
