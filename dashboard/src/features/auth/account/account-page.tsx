import { lacksSecondFactor, useSession, useSignOut } from '../../../api/session.ts'
import { useCrumb } from '../../../lib/crumb.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Page, PageHeader } from '../../../ui/data/card.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { useAccountTexts } from './account-texts.ts'
import { AlertsCard } from './alerts-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TotpCard } from './totp-card.tsx'

export function AccountPage() {
  const t = useAccountTexts()
  const session = useSession()
  useCrumb(t('title'))
  const signOut = useSignOut()
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <Button icon="external" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('signOut')}
          </Button>
        }
      >
        {t('subtitle')}
      </PageHeader>
      {signOut.error && <FailureNotice error={signOut.error} />}
      {lacksSecondFactor(session) && (
        <Notice tone="warn" icon="lock" title={t('requiredTitle', { name: session.organization.name })}>
          {t('requiredText')}
        </Notice>
      )}
      <ProfileCard />
      <AlertsCard />
      <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
        <PasswordCard />
        <TotpCard />
      </div>
      <SessionsCard />
    </Page>
  )
}
