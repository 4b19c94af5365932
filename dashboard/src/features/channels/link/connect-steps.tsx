import type { Channel } from '@hubline/sdk/console'
import { Steps } from '../../../ui/line/steps.tsx'
import { useLinkTexts } from './link-texts.ts'

/** From a link to a number that works. The channel changes by itself while the owner of the number goes through it. */
export function ConnectSteps({ channel }: { channel: Channel | undefined }) {
  const t = useLinkTexts()
  const isConnected = channel !== undefined && channel.status !== 'pending' && channel.status !== 'disconnected'
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-section font-semibold text-text">{t('next')}</h3>
      <Steps
        label={t('next')}
        steps={[
          { title: t('stepLink'), below: t('stepLinkText'), isDone: true },
          { title: t('stepNumber'), below: t('stepNumberText'), isDone: isConnected },
          {
            title: t('stepEvents'),
            below: t('stepEventsText'),
            isDone: isConnected && channel?.subscribed_ok === true,
          },
        ]}
      />
    </section>
  )
}
