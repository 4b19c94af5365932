import type { Channel } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { channelsQuery } from '../../../../api/channels.ts'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { useConnectTexts } from './connect-texts.ts'

export function SimulatedCard({ channel }: { channel: Channel }) {
  const t = useConnectTexts()
  const client = useQueryClient()
  const refusal = useRefusal('channels:write')
  const connect = useMutation({
    mutationFn: () => hub.console.connectSandboxChannel(channel.id),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: channelsQuery.queryKey })
      showToast(t('connected'))
    },
  })
  return (
    <Card title={t('simulated')}>
      <div className="flex flex-col items-start gap-3">
        <p>{t('simulatedText')}</p>
        {connect.error && <FailureNotice error={connect.error} />}
        <Button icon="flask" isBusy={connect.isPending} reason={refusal} onClick={() => connect.mutate()}>
          {t('simulate')}
        </Button>
      </div>
    </Card>
  )
}
