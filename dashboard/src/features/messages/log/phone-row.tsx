import type { ConsoleMessage } from '@hubline/sdk/console'
import { Time } from '../../../ui/data/time.tsx'
import { Person } from '../person.tsx'
import { Content, DirectionIcon, PersonName, StatusCell } from './columns.tsx'
import type { Names } from './use-names.ts'

/** A message in two lines. A name is beside the number once it is shown. */
export function PhoneRow({ message, names }: { message: ConsoleMessage; names: Names }) {
  return (
    <span className="flex items-center gap-4 px-4">
      <DirectionIcon direction={message.direction} />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
        <span className="flex min-w-0 items-center gap-2">
          <Person person={message.person} />
          {names.isShown && (
            <span className="min-w-0 truncate">
              <PersonName message={message} names={names} />
            </span>
          )}
        </span>
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
