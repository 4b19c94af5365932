import { SecretSheet } from '../../ui/overlays/secret-sheet.tsx'
import { useOnboardingTexts } from './onboarding-texts.ts'

export type OneTimeSecret = { of: keyof typeof VARIABLES; secret: string }

/** The names of each secret in the guides and the command line. */
const VARIABLES = {
  channel: 'HUBLINE_CHANNEL_TOKEN',
  key: 'HUBLINE_KEY',
  listenKey: 'HUBLINE_KEY',
  webhook: 'HUB_WEBHOOK_SECRET',
} as const

/** Stands above the steps: a step may be done, and gone, while its secret is still being stored. */
export function OneTimeSecretSheet({ shown, onDone }: { shown: OneTimeSecret; onDone: () => void }) {
  const t = useOnboardingTexts()
  const { of, secret } = shown
  return (
    <SecretSheet
      title={t(`${of}.created`)}
      label={t(`${of}.secret`)}
      secret={secret}
      purpose={t(`${of}.purpose`)}
      env={{ name: VARIABLES[of] }}
      onDone={onDone}
    />
  )
}
