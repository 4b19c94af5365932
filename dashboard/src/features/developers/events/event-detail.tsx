import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEventTexts } from '../../../api/event-texts.ts'
import {
  type DeliveryFormat,
  type EventKind,
  findSample,
  isInMode,
  isSubscribed,
  type PayloadMode,
} from '../../../api/events.ts'
import { DELIVERY_FORMATS, PAYLOAD_MODES, SIGNATURE_VERSIONS } from '../../../api/generated/definitions.gen.ts'
import { concernsWebhooks, webhooksQuery } from '../../../api/webhooks.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { CodeBlock, JsonBlock } from '../../../ui/data/code.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { useEventsTexts } from './events-texts.ts'

const route = getRouteApi('/shell/developers')
const SIGNED: Record<DeliveryFormat, string> = { native: 'timestamp.delivery_id.body', compat: 'body' }

type EventDetailProps = { kind: EventKind; mode: PayloadMode; format: DeliveryFormat }

/** One kind: its body as an endpoint of a mode and a format gets it, and who gets it now. */
export function EventDetail({ kind, mode, format }: EventDetailProps) {
  const e = useEventTexts()
  const t = useEventsTexts()
  const navigate = route.useNavigate()
  return (
    <>
      <header>
        <h2 className="font-mono text-section font-semibold text-text">{kind}</h2>
        <p>{e(`event.${kind}`)}</p>
      </header>
      <div className="flex flex-wrap gap-3">
        <Segmented
          label={t('mode')}
          value={mode}
          options={PAYLOAD_MODES.map((value) => ({ value, label: value }))}
          onChange={(next) =>
            void navigate({
              search: ({ mode: _, ...before }) => ({ ...before, ...(next === 'upstream_raw' && { mode: next }) }),
            })
          }
        />
        <Segmented
          label={t('format')}
          value={format}
          options={DELIVERY_FORMATS.map((value) => ({ value, label: value }))}
          onChange={(next) =>
            void navigate({
              search: ({ format: _, ...before }) => ({ ...before, ...(next === 'compat' && { format: next }) }),
            })
          }
        />
      </div>
      {isInMode(kind, mode) ? (
        <Sample kind={kind} format={format} />
      ) : (
        <p>
          {t('notInMode', { mode })} {mode === 'upstream_raw' && t('rawInstead')}
        </p>
      )}
      <Receivers kind={kind} />
    </>
  )
}

function Sample({ kind, format }: { kind: EventKind; format: DeliveryFormat }) {
  const e = useEventTexts()
  const t = useEventsTexts()
  const body = findSample(kind, format)
  const hasOwnBody = body !== findSample(kind, 'native')
  return (
    <>
      <p className="text-text-3">
        {kind === 'upstream.raw' ? e('rawSample') : t(hasOwnBody ? 'compatBody' : 'sameBody')}
      </p>
      <Card title={t('headers')}>
        <CodeBlock
          label={t('headers')}
          code={`X-Hub-Delivery-Id: …\nX-Hub-Timestamp: …\nX-Hub-Signature-Version: ${SIGNATURE_VERSIONS[format]}\nX-Hub-Signature-256: sha256=HMAC(secret, ${SIGNED[format]})`}
        />
      </Card>
      <Card title={t('body')} aside={<CopyTextButton text={JSON.stringify(body, null, 2)} />}>
        <JsonBlock value={body} label={e('sampleOf', { kind })} />
      </Card>
    </>
  )
}

function Receivers({ kind }: { kind: EventKind }) {
  const t = useEventsTexts()
  const endpoints = useQuery(webhooksQuery)
  useLiveQueries(webhooksQuery.queryKey, concernsWebhooks)
  const receivers = endpoints.data?.filter((endpoint) => isSubscribed(endpoint, kind)) ?? []
  return (
    <Card title={t('receivers')}>
      {endpoints.isPending ? (
        <Skeleton rows={2} />
      ) : endpoints.isError && !endpoints.data ? (
        <ErrorState title={t('receiversFailed')} error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      ) : receivers.length === 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>{t('noReceivers')}</p>
          <ButtonLink icon="plus" to="/webhooks" search={{ dialog: 'create' }}>
            {t('newEndpoint')}
          </ButtonLink>
        </div>
      ) : (
        <ul className="flex flex-col gap-2">
          {receivers.map(({ id, name, all_channels, channel_ids, payload_mode, delivery_format }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3">
              <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className="text-accent hover:underline">
                {name}
              </Link>
              <span className="text-meta text-text-3">
                {all_channels ? t('everyChannel') : t('someChannels', { count: channel_ids.length })} · {payload_mode} ·{' '}
                {delivery_format}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
