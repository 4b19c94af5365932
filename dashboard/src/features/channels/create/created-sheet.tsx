import { useQuery } from '@tanstack/react-query'
import { channelQuery, concernsChannel } from '../../../api/channels.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { Id } from '../../../ui/controls/copy.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SecretBlock, SecretSheet } from '../../../ui/overlays/secret-sheet.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { ConnectSteps } from '../link/connect-steps.tsx'
import { LinkPanel } from '../link/link-panel.tsx'
import { useCreateTexts } from './create-texts.ts'
import type { Created } from './created.ts'

/** The token for a server and the link for a person: two blocks, so that the token is not mailed by mistake. */
export function CreatedSheet({ created, onDone }: { created: Created; onDone: () => void }) {
  const t = useCreateTexts()
  const { id, token } = created.channel
  const channel = useQuery(channelQuery(id)).data
  useLiveQueries(channelQuery(id).queryKey, concernsChannel(id))
  return (
    <SecretSheet
      title={
        <span className="flex items-center gap-2">
          <Icon name="ring-tick" size={20} className="text-ok" />
          {t('created', { name: created.name })}
        </span>
      }
      description={
        <span className="flex flex-wrap items-center gap-2">
          <Status status={channel?.status ?? created.channel.status} />
          <span aria-hidden="true">·</span>
          <Id id={id} />
        </span>
      }
      label={t('token')}
      purpose={t('tokenPurpose')}
      aside={t('forServer')}
      secret={token}
      env={{ name: 'HUBLINE_CHANNEL_TOKEN' }}
      onDone={onDone}
    >
      <div className="mt-5 flex flex-col gap-5 border-t border-line pt-5">
        {created.secret !== undefined && (
          <SecretBlock
            label={t('secret')}
            purpose={t('secretPurpose')}
            aside={t('forServer')}
            secret={created.secret}
          />
        )}
        {created.link === undefined ? (
          <Notice tone="warn" title={t('linkFailed')} />
        ) : (
          <LinkPanel channelId={id} name={created.name} link={created.link} />
        )}
        <ConnectSteps channel={channel} />
      </div>
    </SecretSheet>
  )
}
