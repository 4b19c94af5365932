import type { Invited } from '@hubline/sdk/console'
import { formatMoment } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { SecretSheet } from '../../../ui/overlays/secret-sheet.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useMembersTexts } from '../members-texts.ts'

/** If a mail has the link too, this page need not be its only place. */
export function InvitedResult({ invited, onDone }: { invited: Invited; onDone: () => void }) {
  const t = useMembersTexts()
  const u = useUiTexts()
  const { email, expires_at } = invited.invitation
  const until = formatMoment(expires_at)
  const title = t('invited', { email })
  if (!invited.mail_sent) {
    return (
      <SecretSheet
        title={title}
        label={t('link')}
        purpose={t('linkPurpose', { until })}
        secret={invited.invitation_url}
        onDone={onDone}
      />
    )
  }
  return (
    <Dialog
      title={title}
      onClose={onDone}
      footer={
        <>
          <CopyTextButton size="normal" text={invited.invitation_url} label={t('copyLink')} />
          <Button kind="primary" onClick={onDone}>
            {u('done')}
          </Button>
        </>
      }
    >
      <p className="text-text">{t('mailed', { email })}</p>
      <p className="mt-1">{t('mailedText', { until })}</p>
    </Dialog>
  )
}
