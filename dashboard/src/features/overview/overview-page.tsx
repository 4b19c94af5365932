import type { Statistics } from '@hubline/sdk/console'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { RANGES } from '../../api/generated/definitions.gen.ts'
import { subscriptionQuery } from '../../api/subscription.ts'
import { useApiExample } from '../../lib/api-example.ts'
import { useFirstAnswers } from '../../lib/use-first-answers.ts'
import { useLiveFigures } from '../../live/use-live-queries.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { AttentionCard } from './attention/attention-card.tsx'
import { ErrorsCard } from './errors/errors-card.tsx'
import { ChannelHealth } from './health/channel-health.tsx'
import { WebhookHealth } from './health/webhook-health.tsx'
import { attentionQuery, statisticsQuery } from './overview-queries.ts'
import { useOverviewTexts } from './overview-texts.ts'
import type { OverviewSearch } from './search.ts'
import { FiguresTable } from './tiles/figures-table.tsx'
import { Tiles } from './tiles/tiles.tsx'

const route = getRouteApi('/shell/')

/** Four numbers, two lines of health, then what to do. */
export function OverviewPage() {
  const t = useOverviewTexts()
  const u = useUiTexts()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const { range = '24h', channel_id } = search
  const channels = useQuery(channelsQuery)
  const [isTable, setTable] = useState(false)
  const statistics = useQuery(statisticsQuery(search))
  const attention = useQuery(attentionQuery)
  const plan = useQuery(subscriptionQuery)
  const isWaiting = useFirstAnswers(statistics, channels, attention, plan)
  useLiveFigures(statisticsQuery(search).queryKey)
  useApiExample({
    method: 'GET',
    path: '/api/v1/usage',
    sdk: 'const { usage } = await hub.billing.getUsage()\nconsole.log(usage)',
  })
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <>
            <span className="flex items-center gap-2 max-tablet:hidden">
              <IconButton
                icon={isTable ? 'chart' : 'list'}
                label={isTable ? u('viewAsChart') : u('viewAsTable')}
                onClick={() => setTable(!isTable)}
              />
              <ChoiceMenu
                icon="phone"
                all={t('allChannels')}
                choices={channels.data ?? []}
                chosenId={channel_id}
                onChoose={(id) => void navigate({ search: { range, ...(id && { channel_id: id }) } })}
              />
            </span>
            <Segmented
              label={t('range')}
              value={range}
              options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
              onChange={(value) => void navigate({ search: { ...search, range: value } })}
            />
          </>
        }
      />
      {isWaiting ? <Skeleton rows={4} /> : <Sections {...{ search, statistics, isTable }} />}
    </Page>
  )
}

type SectionsProps = {
  search: OverviewSearch
  statistics: UseQueryResult<Statistics>
  isTable: boolean
}

function Sections({ search, statistics, isTable }: SectionsProps) {
  const t = useOverviewTexts()
  // The figures of the choice before stay, dimmed, until those of this one are there.
  const isFormer = statistics.isPlaceholderData
  return (
    <>
      {statistics.data ? (
        <div aria-busy={isFormer} className="aria-busy:opacity-50">
          {isTable ? <FiguresTable statistics={statistics.data} /> : <Tiles statistics={statistics.data} />}
        </div>
      ) : statistics.isError ? (
        <ErrorState title={t('failed')} error={statistics.error} onRetry={() => void statistics.refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
      <div className="grid grid-cols-2 gap-4 max-desktop:grid-cols-1 max-tablet:order-last">
        {statistics.data && <WebhookHealth webhooks={statistics.data.webhooks} />}
        <ChannelHealth />
      </div>
      <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
        <AttentionCard />
        {statistics.data && (
          <div aria-busy={isFormer} className="aria-busy:opacity-50">
            <ErrorsCard statistics={statistics.data} channelId={search.channel_id} />
          </div>
        )}
      </div>
    </>
  )
}
