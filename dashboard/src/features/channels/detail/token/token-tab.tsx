import type { Channel } from '@hubline/sdk/console'
import { RegenerateCard } from './regenerate-card.tsx'
import { RevokeCard } from './revoke-card.tsx'

export function TokenTab({ channel }: { channel: Channel }) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] items-start gap-4 max-desktop:grid-cols-1">
      <RegenerateCard channel={channel} />
      <RevokeCard channel={channel} />
    </div>
  )
}
