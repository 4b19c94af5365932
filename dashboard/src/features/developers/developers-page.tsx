import { getRouteApi } from '@tanstack/react-router'
import { Tabs } from '../../ui/controls/tabs.tsx'
import { PageHeader } from '../../ui/data/card.tsx'
import { useDevelopersTexts } from './developers-texts.ts'
import { EventsTab } from './events/events-tab.tsx'
import { ReferenceTab } from './reference/reference-tab.tsx'
import { RequestsTab } from './requests/requests-tab.tsx'
import { type DevelopersTab, TABS } from './search.ts'
import { StatusTab } from './status/status-tab.tsx'
import { ToolsTab } from './tools/tools-tab.tsx'

const route = getRouteApi('/shell/developers')

const CONTENTS: Record<DevelopersTab, () => React.ReactNode> = {
  requests: RequestsTab,
  events: EventsTab,
  reference: ReferenceTab,
  tools: ToolsTab,
  status: StatusTab,
}

export function DevelopersPage() {
  const t = useDevelopersTexts()
  const { tab = 'requests' } = route.useSearch()
  const Content = CONTENTS[tab]
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex flex-col gap-3 border-b border-line px-8 pt-6 max-tablet:px-4 max-tablet:pt-4">
        <PageHeader title={t('title')} />
        <Tabs
          label={t('tabs')}
          tabs={TABS.map((one) => ({
            label: t(one),
            isCurrent: one === tab,
            to: '/developers',
            search: { tab: one },
          }))}
        />
      </div>
      <Content key={tab} />
    </div>
  )
}
