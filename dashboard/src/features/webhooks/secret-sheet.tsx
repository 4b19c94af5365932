import { RECEIVERS } from '../../api/generated/receivers.gen.ts'
import { formatMoment } from '../../lib/format.ts'
import { CodeTabs } from '../../ui/data/code.tsx'
import { SecretSheet } from '../../ui/overlays/secret-sheet.tsx'
import { useWebhooksTexts } from './webhooks-texts.ts'

export type ShownSecret = { id: string; name: string; secret: string; previousValidUntil?: string | undefined }

/** The secret of an endpoint, once, and receivers that use it. */
export function WebhookSecretSheet({ shown, onDone }: { shown: ShownSecret; onDone: () => void }) {
  const t = useWebhooksTexts()
  return (
    <SecretSheet
      title={t('secretTitle', { name: shown.name })}
      label={t('secretLabel')}
      purpose={t('secretPurpose')}
      secret={shown.secret}
      env={{ name: 'HUB_WEBHOOK_SECRET' }}
      onDone={onDone}
    >
      {shown.previousValidUntil && (
        <p className="mt-6">{t('rotatedUntil', { at: formatMoment(shown.previousValidUntil) })}</p>
      )}
      <section className="mt-6 flex flex-col gap-2">
        <h3 className="text-section font-semibold text-text">{t('verify')}</h3>
        <p>{t('verifyText')}</p>
        <CodeTabs label={t('verify')} samples={RECEIVERS} />
      </section>
    </SecretSheet>
  )
}
