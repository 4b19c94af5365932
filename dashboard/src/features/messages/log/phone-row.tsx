import type { ConsoleMessage } from '@hubline/sdk/console'
import { Time } from '../../../ui/data/time.tsx'
import { Person } from '../person.tsx'
import { Content, DirectionIcon, StatusCell } from './columns.tsx'

/** A message in two lines. */
export function PhoneRow({ message }: { message: ConsoleMessage }) {
  return (
    <span className="flex items-center gap-4 px-4">
      <DirectionIcon direction={message.direction} />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
        <Person person={message.person} />
        <span className="text-right text-text-3">
          <Time at={message.created_at} precision="second" />
        </span>
        <Content message={message} />
        <span className="text-right">
          <StatusCell message={message} />
        </span>
      </span>
    </span>
  )
}
