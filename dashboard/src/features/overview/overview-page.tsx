import { Page, PageHeader } from '../../ui/data/card.tsx'

export function OverviewPage() {
  return (
    <Page>
      <PageHeader title="Overview" />
    </Page>
  )
}
