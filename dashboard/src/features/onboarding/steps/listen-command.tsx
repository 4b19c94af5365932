import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import { useStep } from './use-step.ts'

export const LISTEN_SCOPES = ['webhooks:write', 'messages:read'] as const
const KEY_NAME = 'listen'

export function writeListenCommand(url = 'http://localhost:3000/hook'): string {
  return `HUBLINE_URL=${location.origin} HUBLINE_KEY=hub_pk_… hubline listen --forward-to ${url}`
}

type ListenCommandProps = { url?: string | undefined; onSecret: (secret: OneTimeSecret) => void }

/** Brings events to a program on the developer's machine: the command, and the key that it needs. */
export function ListenCommand({ url, onSecret }: ListenCommandProps) {
  const t = useOnboardingTexts()
  const refusal = useRefusal('api_keys:write')
  const create = useStep(async () => {
    const { secret } = await hub.apiKeys.create({ name: KEY_NAME, scopes: [...LISTEN_SCOPES] })
    onSecret({ of: 'listenKey', secret })
  })
  return (
    <span className="flex flex-wrap items-center gap-2">
      <CopyTextButton size="normal" icon="terminal" label={t('listen.copy')} text={writeListenCommand(url)} />
      <Button icon="key" isBusy={create.isPending} reason={refusal} onClick={() => create.mutate(undefined)}>
        {t('key.create')}
      </Button>
      {create.error && <FailureNotice error={create.error} />}
    </span>
  )
}
