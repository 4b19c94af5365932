import { type FormEvent, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { CodeBlock } from '../../../ui/data/code.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import { useStep } from './use-step.ts'

const LISTEN = 'npx hubline listen --forward-to http://localhost:3000/hook'
const LISTEN_SCOPES = ['webhooks:write', 'messages:read']

/** The two destinations of events: an address, or a program on the developer's machine. */
export function WebhookStep({ onSecret }: { onSecret: (secret: OneTimeSecret) => void }) {
  const t = useOnboardingTexts()
  const refusal = useRefusal('webhooks:write')
  const [url, setUrl] = useState('')
  const create = useStep(async () => {
    const { secret } = await hub.webhooks.create({ name: nameOf(url), url: url.trim() })
    onSecret({ of: 'webhook', secret })
  })
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
        {create.error && <FailureNotice error={create.error} />}
        <Button type="submit" kind="primary" icon="webhook" isBusy={create.isPending} reason={refusal}>
          {t('webhook.do')}
        </Button>
      </form>
      <p>{t('webhook.listen', { scopes: LISTEN_SCOPES.join(', ') })}</p>
      <CodeBlock
        label={t('listening')}
        code={`HUBLINE_URL=${location.origin} HUBLINE_KEY=hub_pk_… ${LISTEN}`}
        className="w-full"
      />
    </>
  )
}

/** The host, which tells endpoints apart in lists. */
function nameOf(url: string): string {
  return URL.parse(url.trim())?.host ?? 'webhook'
}
