import type { Channel } from '@hubline/sdk/console'
import { CHANNEL_TOKEN_SCOPES, NEW_TOKEN_SCOPES } from '../../../../api/generated/definitions.gen.ts'
import { ButtonLink } from '../../../../ui/controls/button.tsx'
import { CopyButton, Id } from '../../../../ui/controls/copy.tsx'
import { Card, Facts } from '../../../../ui/data/card.tsx'
import { useTokenTexts } from '../token/token-texts.ts'
import { useClientTexts } from './client-texts.ts'

const BY_DEFAULT: readonly string[] = NEW_TOKEN_SCOPES

/** Shows what Cloud API software needs to work with this channel. */
export function ClientCard({ channel }: { channel: Channel }) {
  const t = useClientTexts()
  const { graph_url, phone_number_id, waba_id } = channel
  return (
    <Card title={t('title')}>
      <div className="grid grid-cols-2 items-start gap-x-8 gap-y-5 max-desktop:grid-cols-1">
        <div className="flex flex-col gap-4">
          <p>{t('text')}</p>
          <Facts
            facts={[
              [
                t('address'),
                <span key="address" className="inline-flex max-w-full items-center gap-1 font-mono text-meta">
                  <span className="min-w-0 break-all">{graph_url}</span>
                  <CopyButton text={graph_url} label={t('copyAddress')} />
                </span>,
              ],
              ['phone_number_id', phone_number_id === null ? '–' : <Id key="number" id={phone_number_id} />],
              ['waba_id', waba_id === null ? '–' : <Id key="waba" id={waba_id} />],
            ]}
          />
          <div>
            <ButtonLink
              size="bar"
              icon="key"
              to="/channels/$channelId"
              params={{ channelId: channel.id }}
              search={{ tab: 'token' }}
            >
              {t('tokenLink')}
            </ButtonLink>
          </div>
          <p>{t('receive')}</p>
          {phone_number_id === null && <p className="text-text-3">{t('notConnected')}</p>}
        </div>
        <Scopes />
      </div>
    </Card>
  )
}

function Scopes() {
  const t = useClientTexts()
  const s = useTokenTexts()
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-text">{t('scopes')}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 max-tablet:grid-cols-1 max-tablet:gap-y-0">
        {CHANNEL_TOKEN_SCOPES.map((scope) => (
          <div key={scope} className="contents">
            <dt className="font-mono text-meta text-text">{scope}</dt>
            <dd className="min-w-0 max-tablet:mb-2">
              {s(`scope.${scope}`)}
              {!BY_DEFAULT.includes(scope) && <span className="block text-text-3">{t('byName')}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
