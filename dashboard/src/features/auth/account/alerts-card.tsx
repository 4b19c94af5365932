import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { hub } from '../../../api/hub.ts'
import { isAtLeast } from '../../../api/role-scopes.ts'
import { lacksSecondFactor, useSession } from '../../../api/session.ts'
import { useMail } from '../../../api/setup.ts'
import { CheckField } from '../../../ui/controls/field.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useAccountTexts } from './account-texts.ts'

function alertsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['alert-settings', organizationId],
    queryFn: async () => (await hub.console.showAlertSettings()).alerts,
  })
}

/** The mails about endpoints and channels, where the hub sends mail and the person can get them. */
export function AlertsCard() {
  const session = useSession()
  const hasMail = useMail()
  const isShown = hasMail && isAtLeast(session.role, 'developer') && !lacksSecondFactor(session)
  return isShown ? <AlertSettings /> : null
}

function AlertSettings() {
  const t = useAccountTexts()
  const client = useQueryClient()
  const { user, organization } = useSession()
  const alerts = useQuery(alertsQuery(organization.id))
  const set = useMutation({
    mutationFn: async (by_mail: boolean) => (await hub.console.setAlertSettings({ by_mail })).alerts,
    onSuccess(now) {
      client.setQueryData(alertsQuery(organization.id).queryKey, now)
      showToast(t(now.by_mail ? 'alertsOn' : 'alertsOff'))
    },
  })
  return (
    <Card title={t('alerts')}>
      {alerts.isPending ? (
        <Skeleton rows={1} />
      ) : alerts.isError ? (
        <FailureNotice error={alerts.error} />
      ) : (
        <div className="flex flex-col gap-3">
          <CheckField
            label={t('alertsByMail', { name: organization.name })}
            hint={t('alertsHint', { email: user.email })}
            checked={set.isPending ? set.variables : alerts.data.by_mail}
            disabled={set.isPending || !user.email_verified}
            onChange={(event) => set.mutate(event.target.checked)}
          />
          {!user.email_verified && (
            <p className="text-text-2">
              {t('alertsVerify')}{' '}
              <Link to="/account/verify-email" className="font-medium text-accent">
                {t('verifyEmail')}
              </Link>
            </p>
          )}
          {set.error && <FailureNotice error={set.error} />}
        </div>
      )}
    </Card>
  )
}
