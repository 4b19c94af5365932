import type { Channel } from '@hubline/sdk/console'
import { useSandbox } from '../../../../api/setup.ts'
import { LinkCard } from './link-card.tsx'
import { LinksCard } from './links-card.tsx'
import { OwnTokenCard } from './own-token-card.tsx'
import { SimulatedCard } from './simulated-card.tsx'

export function ConnectTab({ channel }: { channel: Channel }) {
  const isSandbox = useSandbox()
  return (
    <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
      <div className="flex min-w-0 flex-col gap-4">
        <LinkCard channel={channel} />
        <LinksCard channel={channel} />
      </div>
      <div className="flex flex-col gap-4">
        {isSandbox && channel.phone_number_id === null && <SimulatedCard channel={channel} />}
        <OwnTokenCard channel={channel} />
      </div>
    </div>
  )
}
