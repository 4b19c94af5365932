import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { channelsQuery } from '../../api/channels.ts'
import { useApiExample } from '../../lib/api-example.ts'
import { useCrumb } from '../../lib/crumb.ts'
import { formatDay } from '../../lib/format.ts'
import { currentLocale } from '../../lib/languages.ts'
import { ButtonAnchor } from '../../ui/controls/button.tsx'
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { ChannelsCard } from './channels-card.tsx'
import { useCostsTexts } from './costs-texts.ts'
import { GroupCard } from './group-card.tsx'
import { describeMonth, type Month, toMonthName } from './month.ts'
import { costsQuery, type Reports } from './queries.ts'
import { ReportedCard } from './reported-card.tsx'
import { SummaryCard } from './summary-card.tsx'

const route = getRouteApi('/shell/usage/costs')
const UTC = { timeZone: 'UTC' }

/** Shows the cost of a month's messages by the rate card of the hub. */
export function CostsPage() {
  const t = useCostsTexts()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const now = new Date()
  const [current, last] = [toMonthName(now), toMonthName(now, 1)]
  const month = describeMonth(search.month ?? current, now)
  const { since, until } = month
  const { data: channels = [] } = useQuery(channelsQuery)
  const costs = useQuery(costsQuery({ since, until, channelId: search.channel_id }))
  const ofChannel = search.channel_id === undefined ? '' : `&channel_id=${search.channel_id}`
  const path = `/api/v1/usage/costs?since=${since}&until=${until}${ofChannel}`
  useCrumb(t('title'))
  useApiExample({
    method: 'GET',
    path: `${path}&group_by=category`,
    sdk: `const { costs } = await hub.billing.getCosts({ since: '${since}', until: '${until}', group_by: 'category' })\nconsole.log(costs)`,
  })
  return (
    <Page>
      <PageHeader
        title={
          <>
            {t('title')}
            <Badge tone="outline">{t('estimate')}</Badge>
          </>
        }
        aside={
          <>
            <ChoiceMenu
              icon="phone"
              all={t('allChannels')}
              choices={channels}
              chosenId={search.channel_id}
              onChoose={(id) =>
                void navigate({
                  search: { ...(search.month && { month: search.month }), ...(id && { channel_id: id }) },
                })
              }
            />
            <Segmented
              label={t('months')}
              value={month.name}
              options={[
                { value: current, label: t('thisMonth') },
                { value: last, label: t('lastMonth') },
              ]}
              onChange={(name) =>
                void navigate({
                  search: {
                    ...(name !== current && { month: name }),
                    ...(search.channel_id && { channel_id: search.channel_id }),
                  },
                })
              }
            />
            <ButtonAnchor size="bar" icon="download" href={`${path}&group_by=day&format=csv`} target="_self" download>
              {t('download')}
            </ButtonAnchor>
          </>
        }
      >
        {describePeriod(month, costs.data?.day.rate_card_from ?? null)}
      </PageHeader>
      {costs.data ? (
        <div aria-busy={costs.isPlaceholderData} className="flex flex-col gap-4 aria-busy:opacity-50">
          <Costs reports={costs.data} month={month} channelId={search.channel_id} />
          {search.channel_id !== undefined && (
            <ReportedCard channelId={search.channel_id} since={since} until={until} />
          )}
        </div>
      ) : costs.isError ? (
        <ErrorState title={t('failed')} error={costs.error} onRetry={() => void costs.refetch()} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  )

  function describePeriod({ days, begun }: Month, cardFrom: string | null): string {
    const end = days[Math.max(1, begun) - 1] ?? since
    const period = t('period', { from: formatDay(since, UTC), to: formatDay(end, UTC) })
    return cardFrom === null ? period : `${period} · ${t('withCard', { date: formatDay(cardFrom, UTC) })}`
  }
}

type CostsProps = { reports: Reports; month: Month; channelId: string | undefined }

function Costs({ reports, month, channelId }: CostsProps) {
  const t = useCostsTexts()
  const { data: channels = [] } = useQuery(channelsQuery)
  const { total, currency } = reports.day
  const isShown = ({ id }: { id: string }) => channelId === undefined || id === channelId
  const countries = new Intl.DisplayNames(currentLocale(), { type: 'region' })
  if (total.messages === 0) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  return (
    <>
      {currency === null && (
        <Notice tone="info" icon="card" title={t('noCard')}>
          {t('noCardText')}
        </Notice>
      )}
      {currency !== null && total.without_rate > 0 && (
        <Notice tone="warn" icon="alert" title={t('withoutRate', { count: total.without_rate })} />
      )}
      <SummaryCard report={reports.day} month={month} channels={channels.filter(isShown)} />
      <ChannelsCard report={reports.channel} channels={channels} />
      <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
        <GroupCard title={t('byCategory')} name={t('category')} report={reports.category} label={(key) => key} />
        <GroupCard
          title={t('byCountry')}
          name={t('country')}
          report={reports.country}
          label={(key) => (key === 'unknown' ? t('unknown') : (countries.of(key) ?? key))}
        />
      </div>
    </>
  )
}
