import type { Channel } from '@hubline/sdk/console'
import { useSandbox } from '../../../api/setup.ts'
import { formatPhone } from '../../../lib/format.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { TimeLeft } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import type { Progress, RefusedDelivery } from '../progress.ts'
import { ListenCommand } from './listen-command.tsx'

type ReceiveStepProps = { channel: Channel; progress: Progress; onSecret: (secret: OneTimeSecret) => void }

/** The customer answers, and the hub delivers it. */
export function ReceiveStep({ channel, progress, onSecret }: ReceiveStepProps) {
  const t = useOnboardingTexts()
  const isSandbox = useSandbox()
  return (
    <>
      <p>{isSandbox ? t('receive.simulated') : t('receive.real', { number: formatPhone(progress.number ?? '') })}</p>
      <div className="flex flex-wrap items-center gap-3">
        {isSandbox && (
          <ButtonLink to="/simulator" search={{ channel: channel.id }} kind="primary" icon="phone">
            {t('openPhone')}
          </ButtonLink>
        )}
        <span role="status" className="flex items-center gap-2 text-text-2">
          <Icon name="arc" size={14} className="turning" />
          {t('receive.waiting')}
        </span>
      </div>
      {progress.inspector && !progress.endpoint && (
        <div className="flex flex-col gap-2">
          <p>{t('receive.own')}</p>
          <ListenCommand onSecret={onSecret} />
        </div>
      )}
      {progress.refused && <Refused delivery={progress.refused} />}
    </>
  )
}

/** The message came, but the endpoint did not take it. */
function Refused({ delivery }: { delivery: RefusedDelivery }) {
  const t = useOnboardingTexts()
  const { id, webhookId, isHeld, attempts, status, last_error_code, next_attempt_at } = delivery
  return (
    <Notice
      tone="warn"
      title={t('receive.refused', { code: last_error_code ?? '' })}
      action={
        <ButtonLink size="bar" to="/webhooks/$webhookId" params={{ webhookId }} search={{ open: id }}>
          {t('receive.look')}
        </ButtonLink>
      }
    >
      {t('receive.attempts', { count: attempts })}{' '}
      {status === 'retry' && !isHeld && (
        <>
          {t('receive.again')} <TimeLeft until={next_attempt_at} />.
        </>
      )}
    </Notice>
  )
}
