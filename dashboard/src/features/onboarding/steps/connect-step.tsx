import type { Channel } from '@hubline/sdk/console'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { FIRST_CUSTOMER } from '../../../api/sandbox.ts'
import { useSandbox } from '../../../api/setup.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import { useStep } from './use-step.ts'

/** A simulated number in the sandbox; else a link for the owner of the number. */
export function ConnectStep({ channel }: { channel: Channel }) {
  return useSandbox() ? <SimulatedConnection channel={channel} /> : <ConnectLink channel={channel} />
}

function SimulatedConnection({ channel }: { channel: Channel }) {
  const t = useOnboardingTexts()
  const refusal = useRefusal('channels:write')
  const connect = useStep(() => hub.console.connectSandboxChannel(channel.id))
  return (
    <>
      <p>{t('connect.simulated', { name: FIRST_CUSTOMER.name })}</p>
      {connect.error && <FailureNotice error={connect.error} />}
      <Button
        kind="primary"
        icon="link"
        isBusy={connect.isPending}
        reason={refusal}
        onClick={() => connect.mutate(undefined)}
      >
        {t('connect.do')}
      </Button>
    </>
  )
}

function ConnectLink({ channel }: { channel: Channel }) {
  const t = useOnboardingTexts()
  const refusal = useRefusal('channels:write')
  const create = useStep(() => hub.channels.createConnectLink(channel.id))
  return (
    <>
      <p>{t('connect.real')}</p>
      {create.error && <FailureNotice error={create.error} />}
      {create.data ? (
        <div className="flex max-w-full flex-wrap items-center gap-3">
          <a href={create.data.connect_url} target="_blank" rel="noreferrer" className="font-medium text-accent">
            {t('connect.open')}
          </a>
          <CopyTextButton text={create.data.connect_url} label={t('connect.copy')} />
        </div>
      ) : (
        <Button
          kind="primary"
          icon="link"
          isBusy={create.isPending}
          reason={refusal}
          onClick={() => create.mutate(undefined)}
        >
          {t('connect.link')}
        </Button>
      )}
    </>
  )
}
