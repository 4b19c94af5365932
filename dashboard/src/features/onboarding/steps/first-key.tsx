import type { ApiKey } from '@hubline/sdk/console'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import { KEY_NAME } from '../progress.ts'
import { useStep } from './use-step.ts'

type FirstKeyProps = { known: ApiKey | undefined; onSecret: (secret: OneTimeSecret) => void }

/** A key that may only send, made here, for the call below. */
export function FirstKey({ known, onSecret }: FirstKeyProps) {
  const t = useOnboardingTexts()
  const refusal = useRefusal('api_keys:write')
  const create = useStep(async () => {
    const { secret } = await hub.apiKeys.create({ name: KEY_NAME, scopes: ['messages:send'] })
    onSecret({ of: 'key', secret })
  })
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <span>{t('key')}</span>
      <code className="font-mono text-meta text-text">{KEY_NAME}</code>
      <Badge isCode>messages:send</Badge>
      {known ? (
        <code className="font-mono text-meta text-text-3">
          {known.prefix}…{known.last4}
        </code>
      ) : (
        <Button
          size="bar"
          icon="key"
          isBusy={create.isPending}
          reason={refusal}
          onClick={() => create.mutate(undefined)}
        >
          {t('key.create')}
        </Button>
      )}
      {create.error && <FailureNotice error={create.error} />}
    </div>
  )
}
