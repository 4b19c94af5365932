import { type FormEvent, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useInspectorChange } from '../../../api/inspector.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { CodeBlock } from '../../../ui/data/code.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import { LISTEN_SCOPES, writeListenCommand } from './listen-command.tsx'
import { isLocalRefusal, LocalAddress } from './local-address.tsx'
import { useStep } from './use-step.ts'

type WebhookStepProps = { canReceiveHere: boolean; onSecret: (secret: OneTimeSecret) => void }

/** The destinations of events: an address, the hub itself, or a program on the developer's machine. */
export function WebhookStep({ canReceiveHere, onSecret }: WebhookStepProps) {
  const t = useOnboardingTexts()
  const refusal = useRefusal('webhooks:write')
  const [url, setUrl] = useState('')
  const create = useStep(async () => {
    const { secret } = await hub.webhooks.create({ name: nameOf(url), url: url.trim() })
    onSecret({ of: 'webhook', secret })
  })
  const inspect = useInspectorChange(() => hub.console.createInspector())
  const receiveHere = canReceiveHere && (
    <Button icon="arrow-in" isBusy={inspect.isPending} reason={refusal} onClick={() => inspect.mutate()}>
      {t('webhook.here')}
    </Button>
  )
  const isLocal = isLocalRefusal(create.error, url)
  function submit(event: FormEvent): void {
    event.preventDefault()
    create.mutate(undefined)
  }
  return (
    <>
      <form onSubmit={submit} className="flex w-full flex-col items-start gap-3">
        <p>{t('webhook.text')}</p>
        <TextField
          className="w-full max-w-xl"
          label={t('webhook.url')}
          hint={t('webhook.hint')}
          type="url"
          placeholder="https://example.com/hooks"
          required
          value={url}
          autoComplete="off"
          onChange={(event) => setUrl(event.target.value)}
        />
        {create.error && !isLocal && <FailureNotice error={create.error} />}
        <Button type="submit" kind="primary" icon="webhook" isBusy={create.isPending} reason={refusal}>
          {t('webhook.do')}
        </Button>
      </form>
      {isLocal ? (
        <LocalAddress url={url} receiveHere={receiveHere} onSecret={onSecret} />
      ) : (
        <>
          {receiveHere && (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
              {receiveHere}
              {t('webhook.hereText')}
            </p>
          )}
          <p>{t('webhook.listen', { scopes: LISTEN_SCOPES.join(', ') })}</p>
          <CodeBlock label={t('listening')} code={writeListenCommand()} className="w-full" />
        </>
      )}
      {inspect.error && <FailureNotice error={inspect.error} />}
    </>
  )
}

/** The host, which tells endpoints apart in lists. */
function nameOf(url: string): string {
  return URL.parse(url.trim())?.host ?? 'webhook'
}
