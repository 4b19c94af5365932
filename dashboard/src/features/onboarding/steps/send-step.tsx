import type { Channel } from '@hubline/sdk/console'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { FIRST_CUSTOMER } from '../../../api/sandbox.ts'
import { useSandbox } from '../../../api/setup.ts'
import { useSendRefusal } from '../../../api/subscription.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { CodeTabs } from '../../../ui/data/code.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import type { Progress } from '../progress.ts'
import { writeSamples } from '../samples.ts'
import { FirstKey } from './first-key.tsx'
import { useStep } from './use-step.ts'

type SendStepProps = { channel: Channel; progress: Progress; onSecret: (secret: OneTimeSecret) => void }

/** The first message, from a terminal or with the session. */
export function SendStep({ channel, progress, onSecret }: SendStepProps) {
  const t = useOnboardingTexts()
  const isSandbox = useSandbox()
  const refusal = useSendRefusal()
  const [typed, setTyped] = useState('')
  const to = isSandbox ? FIRST_CUSTOMER.phone : typed.replace(/\D/g, '')
  const message = { to: to || '5511987654321', type: 'text' as const, text: { body: t('send.sample') } }
  const write = useStep(() => writeFirst(channel.id, t('send.customerWrites')))
  const send = useStep(async () => {
    if (isSandbox && !progress.isWindowOpen) await writeFirst(channel.id, t('send.customerWrites'))
    return hub.messages.send(channel.id, message)
  })
  return (
    <>
      <p>{t('send.text')}</p>
      {isSandbox && !progress.isWindowOpen && (
        <div className="flex w-full flex-wrap items-center gap-3 text-text-2">
          <span className="min-w-0 flex-1">{t('send.window', { name: FIRST_CUSTOMER.name })}</span>
          <Button size="bar" icon="message" isBusy={write.isPending} onClick={() => write.mutate(undefined)}>
            {t('send.letWrite')}
          </Button>
        </div>
      )}
      {!isSandbox && (
        <TextField
          className="w-full max-w-96"
          label={t('send.to')}
          hint={t('send.toHint')}
          type="tel"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <FirstKey known={progress.key} onSecret={onSecret} />
      <div className="w-full">
        <CodeTabs label={t('send.call')} samples={writeSamples(channel.id, message)} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="primary"
          icon="send"
          isBusy={send.isPending}
          reason={refusal}
          disabled={to === ''}
          onClick={() => send.mutate(undefined)}
        >
          {t('send.do')}
        </Button>
        <span role="status" className="flex items-center gap-2 text-text-2">
          <Icon name="arc" size={14} className="turning" />
          {t('send.waiting')}
        </span>
      </div>
      {progress.lastSent?.status === 'failed' && (
        <Notice tone="warn" title={<Status status="failed" />}>
          {[progress.lastSent.error?.code, progress.lastSent.error?.title].filter(Boolean).join(' · ')}
        </Notice>
      )}
      {(send.error ?? write.error) && <FailureNotice error={send.error ?? write.error} />}
    </>
  )
}

/** Text may be sent for 24 hours after a customer wrote, and only then. */
function writeFirst(channelId: string, body: string) {
  return hub.console.writeAsSandboxCustomer(channelId, {
    customer: FIRST_CUSTOMER,
    message: { type: 'text', text: { body } },
  })
}
