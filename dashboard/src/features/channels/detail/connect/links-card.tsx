import type { Channel, ListedLink } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { concernsChannel } from '../../../../api/channels.ts'
import { hub } from '../../../../api/hub.ts'
import { useLiveQueries } from '../../../../live/use-live-queries.ts'
import { Card } from '../../../../ui/data/card.tsx'
import { Status, type StatusName } from '../../../../ui/data/status.tsx'
import { Time, TimeLeft } from '../../../../ui/data/time.tsx'
import { ErrorState, Skeleton } from '../../../../ui/states/list-states.tsx'
import { linksKey } from '../../link/known-links.ts'
import { useConnectTexts } from './connect-texts.ts'

const LOOKS: Record<ListedLink['state'], StatusName> = {
  open: 'pending',
  in_use: 'processing',
  used: 'ok',
  expired: 'expired',
  replaced: 'canceled',
}

/** The newest links of the channel: who made each, how long it works, and what became of it. */
export function LinksCard({ channel }: { channel: Channel }) {
  const t = useConnectTexts()
  const queryKey = linksKey(channel.id)
  const links = useQuery({ queryKey, queryFn: () => hub.console.listConnectLinks(channel.id).toArray() })
  useLiveQueries(queryKey, concernsChannel(channel.id))
  return (
    <Card title={t('links')} isFlush>
      {links.isPending ? (
        <Skeleton rows={2} rowClass="h-14" />
      ) : links.isLoadingError ? (
        <ErrorState title={t('linksFailed')} error={links.error} onRetry={() => void links.refetch()} />
      ) : links.data?.length === 0 ? (
        <p className="p-4">{t('noLinks')}</p>
      ) : (
        <ul aria-label={t('links')}>
          {links.data?.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function LinkRow({ link: { state, created_by, created_at, expires_at, used_at } }: { link: ListedLink }) {
  const t = useConnectTexts()
  const isOpen = state === 'open' || state === 'in_use'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
      <div className="min-w-0">
        <p className="truncate text-text">
          {created_by?.name ? t('madeBy', { name: created_by.name }) : t('madeByUnknown')}
        </p>
        <p className="text-meta text-text-3">
          <Time at={created_at} precision="second" />
        </p>
      </div>
      <div className="flex flex-col items-end">
        <Status status={LOOKS[state]}>{t(`linkState.${state}`)}</Status>
        <span className="text-meta text-text-3">
          {used_at !== null ? (
            <Time at={used_at} precision="second" />
          ) : isOpen ? (
            <>
              {t('expires')} <TimeLeft until={expires_at} />
            </>
          ) : (
            <Time at={expires_at} />
          )}
        </span>
      </div>
    </li>
  )
}
