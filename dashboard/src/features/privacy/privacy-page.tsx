import { useSession } from '../../api/session.ts'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { EraseCard } from './erasures/erase-card.tsx'
import { ErasuresCard } from './erasures/erasures-card.tsx'
import { ExportCard } from './export/export-card.tsx'
import { usePrivacyTexts } from './privacy-texts.ts'

export function PrivacyPage() {
  const t = usePrivacyTexts()
  const { organization } = useSession()
  return (
    <Page>
      <PageHeader title={t('title')}>{t('subtitle')}</PageHeader>
      <ExportCard organizationId={organization.id} />
      <EraseCard organizationId={organization.id} />
      <ErasuresCard organizationId={organization.id} />
    </Page>
  )
}
