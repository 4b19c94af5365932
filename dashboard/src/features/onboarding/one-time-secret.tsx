import { SecretSheet } from '../../ui/overlays/secret-sheet.tsx'
import { useOnboardingTexts } from './onboarding-texts.ts'
import { KEY_NAME } from './progress.ts'

export type OneTimeSecret = { of: 'key' | 'webhook'; secret: string }

/** Stands above the steps: a step may be done, and gone, while its secret is still being stored. */
export function OneTimeSecretSheet({ shown, onDone }: { shown: OneTimeSecret; onDone: () => void }) {
  const t = useOnboardingTexts()
  const { of, secret } = shown
  return of === 'key' ? (
    <SecretSheet
      title={t('key.created')}
      label={KEY_NAME}
      secret={secret}
      purpose={t('key.purpose')}
      env={{ name: 'HUBLINE_KEY' }}
      onDone={onDone}
    />
  ) : (
    <SecretSheet
      title={t('webhook.created')}
      label={t('webhook.secret')}
      secret={secret}
      purpose={t('webhook.purpose')}
      env={{ name: 'HUBLINE_WEBHOOK_SECRET' }}
      onDone={onDone}
    />
  )
}
