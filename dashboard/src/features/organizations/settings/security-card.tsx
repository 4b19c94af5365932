import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '../../../api/members.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { useSession } from '../../../api/session.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { type OrganizationSettings, useSettingsUpdate } from './settings-query.ts'
import { useSettingsTexts } from './settings-texts.ts'

export function SecurityCard({ settings }: { settings: OrganizationSettings }) {
  const t = useSettingsTexts()
  const { user } = useSession()
  const roleRefusal = useRoleRefusal('owner')
  const [isAsking, setAsking] = useState(false)
  const members = useQuery(membersQuery)
  const lacking = members.data?.filter(({ totp_enabled }) => !totp_enabled).length
  const update = useSettingsUpdate(() => {
    setAsking(false)
    showToast(t('saved'))
  })
  const isOn = settings.two_factor_required
  const refusal = roleRefusal ?? (user.totp_enabled || isOn ? undefined : t('ownFirst'))
  return (
    <Card title={t('security')}>
      <div className="flex flex-col items-start gap-4">
        <p className="flex items-center gap-2">
          <StatusIcon status={isOn ? 'active' : 'disabled'} size={16} />
          {isOn ? t('twoFactorOn') : t('twoFactorOff')}
        </p>
        <p>
          {members.isError
            ? t('lackingFailed')
            : lacking === undefined
              ? ''
              : lacking === 0
                ? t('lackingNone')
                : t('lacking', { count: lacking })}
        </p>
        <p className="text-meta text-text-3">{t('twoFactorText')}</p>
        {update.error && !isAsking && <FailureNotice error={update.error} />}
        {isOn ? (
          <Button
            isBusy={update.isPending}
            reason={refusal}
            onClick={() => update.mutate({ two_factor_required: false })}
          >
            {t('stopRequiring')}
          </Button>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            <Button icon="lock" reason={refusal} onClick={() => setAsking(true)}>
              {t('requireTwoFactor')}
            </Button>
            {roleRefusal === undefined && !user.totp_enabled && (
              <ButtonLink to="/account" kind="quiet">
                {t('account')}
              </ButtonLink>
            )}
          </div>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('requireTitle')}
          action={t('requireTwoFactor')}
          isBusy={update.isPending}
          error={update.error && <FailureNotice error={update.error} />}
          onConfirm={() => update.mutate({ two_factor_required: true })}
          onClose={() => setAsking(false)}
        >
          <p>{t('twoFactorText')}</p>
          {lacking !== undefined && (
            <p>{lacking === 0 ? t('requireNone') : t('requireConsequence', { count: lacking })}</p>
          )}
        </ConfirmDialog>
      )}
    </Card>
  )
}
