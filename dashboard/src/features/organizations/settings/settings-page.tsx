import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../api/session.ts'
import { settingsQuery } from '../../../api/settings.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { Card, Facts, Page, PageHeader } from '../../../ui/data/card.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { BrandCard } from './brand-card.tsx'
import { DangerCard } from './danger-card.tsx'
import { GeneralCard } from './general-card.tsx'
import { SecurityCard } from './security-card.tsx'
import type { OrganizationSettings } from './settings-query.ts'
import { useSettingsTexts } from './settings-texts.ts'

export function SettingsPage() {
  const t = useSettingsTexts()
  const { organization } = useSession()
  const settings = useQuery(settingsQuery(organization.id))
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <>
            <ButtonLink to="/members" icon="users">
              {t('members')}
            </ButtonLink>
            <ButtonLink to="/privacy" icon="lock">
              {t('privacy')}
            </ButtonLink>
          </>
        }
      >
        {t('subtitle')}
      </PageHeader>
      {settings.isPending ? (
        <Skeleton rows={6} rowClass="h-14" />
      ) : settings.isError ? (
        <ErrorState title={t('failed')} error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <>
          <GeneralCard settings={settings.data} />
          <BrandCard settings={settings.data} />
          <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
            <SecurityCard settings={settings.data} />
            <RetentionCard retention={settings.data.retention} />
          </div>
          <DangerCard settings={settings.data} />
        </>
      )}
    </Page>
  )
}

function RetentionCard({ retention }: Pick<OrganizationSettings, 'retention'>) {
  const t = useSettingsTexts()
  return (
    <Card title={t('retention')}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            [t('retentionMessages'), t('days', { count: retention.messages_days })],
            [t('retentionEvents'), t('days', { count: retention.events_days })],
            [t('retentionAudit'), t('days', { count: retention.audit_days })],
          ]}
        />
        <p className="text-meta text-text-3">{t('retentionText')}</p>
      </div>
    </Card>
  )
}
