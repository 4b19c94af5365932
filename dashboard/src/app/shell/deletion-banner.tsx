import { useDeletionCancel } from '../../api/organization-deletion.ts'
import { useSession } from '../../api/session.ts'
import { formatLongMoment } from '../../lib/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { showToast } from '../../ui/states/toasts.tsx'
import { useShellTexts } from './shell-texts.ts'

/** On every page, while the organization waits for its deletion. */
export function DeletionBanner() {
  const t = useShellTexts()
  const { organization, role } = useSession()
  const cancel = useDeletionCancel(() => showToast(t('kept')))
  if (organization.deletes_at === null) return null
  const date = formatLongMoment(organization.deletes_at)
  return (
    <div className="flex flex-col gap-2 px-8 py-4 max-tablet:px-4 max-tablet:py-2">
      <Notice
        tone="warn"
        title={t('deletion', { name: organization.name, date })}
        action={
          role === 'owner' && (
            <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('keep')}
            </Button>
          )
        }
      >
        {role === 'owner' ? t('deletionText') : t('deletionAsk')}
      </Notice>
      {cancel.error && <FailureNotice error={cancel.error} />}
    </div>
  )
}
