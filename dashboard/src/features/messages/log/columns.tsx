import type { ConsoleMessage } from '@hubline/sdk/console'
import { cx } from '../../../lib/cx.ts'
import { Id } from '../../../ui/controls/copy.tsx'
import { Masked } from '../../../ui/data/masked.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { chooseTypeIcon, useTypeText } from '../message-type.ts'
import { useMessagesTexts } from '../messages-texts.ts'
import { Person } from '../person.tsx'
import type { Names } from './use-names.ts'

/** Columns drop from the right while a drawer takes half of the page. A name that has no room beside its number is below it. */
export function useLogColumns(
  channelNames: ReadonlyMap<string, string>,
  names: Names,
  { isNarrow, isStacked }: { isNarrow: boolean; isStacked: boolean },
): Column<ConsoleMessage>[] {
  const t = useMessagesTexts()
  const columns: Column<ConsoleMessage>[] = [
    {
      id: 'time',
      header: t('time'),
      className: isNarrow ? 'w-40 first:pl-5' : 'w-40 first:pl-8 wide:w-44',
      cell: ({ created_at }) => <Time at={created_at} precision="second" />,
    },
    {
      id: 'direction',
      header: <span className="sr-only">{t('direction')}</span>,
      className: 'w-9',
      cell: ({ direction }) => <DirectionIcon direction={direction} />,
    },
    {
      id: 'person',
      header: t('person'),
      className: isNarrow ? 'w-38' : 'w-64 max-desktop:w-42 wide:w-80',
      cell: (message) => (
        <span className={cx('flex min-w-0', isStacked ? 'flex-col' : 'items-center gap-3')}>
          <Person person={message.person} />
          {(isStacked || !isNarrow) && (
            <span className={cx('min-w-0 truncate', isStacked ? 'text-meta' : 'max-desktop:hidden')}>
              <PersonName message={message} names={names} />
            </span>
          )}
        </span>
      ),
    },
    { id: 'content', header: t('content'), cell: (message) => <Content message={message} /> },
    {
      id: 'status',
      header: t('status'),
      className: isNarrow ? 'w-38' : 'w-38 wide:w-44',
      cell: (message) => <StatusCell message={message} />,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'channel',
      header: t('channel'),
      from: 'desktop',
      className: 'w-40 wide:w-52',
      cell: ({ channel_id }) => <span className="block truncate">{channelNames.get(channel_id) ?? '–'}</span>,
    },
    {
      id: 'id',
      header: t('id'),
      from: 'desktop',
      className: 'w-40 last:pr-8 wide:w-44',
      cell: ({ id }) => (
        <span className="relative">
          <Id id={id} isShort />
        </span>
      ),
    },
  ]
}

/** The name of the person, hidden until it is asked for. */
export function PersonName({ message, names }: { message: ConsoleMessage; names: Names }) {
  const t = useMessagesTexts()
  const name = names.find(message)
  if (name === undefined) return <Masked label={t('hiddenName')} seed={message.id} />
  return <span className="text-text-2">{name ?? '–'}</span>
}

export function DirectionIcon({ direction }: { direction: ConsoleMessage['direction'] }) {
  const t = useMessagesTexts()
  const isInbound = direction === 'inbound'
  return (
    <span title={t(direction)}>
      <Icon name={isInbound ? 'arrow-in' : 'arrow-out'} size={14} className={isInbound ? 'text-info' : 'text-text-3'} />
      <span className="sr-only">{t(direction)}</span>
    </span>
  )
}

/** The kind of a message and, of a template, its name. What people wrote stays hidden. */
export function Content({ message: { id, type, template } }: { message: ConsoleMessage }) {
  const t = useMessagesTexts()
  const typeText = useTypeText()
  return (
    <span className="flex min-w-0 items-center gap-2 overflow-hidden">
      <span title={typeText(type)} className="text-text-3">
        <Icon name={chooseTypeIcon(type)} size={14} />
        <span className="sr-only">{typeText(type)}</span>
      </span>
      {template?.name ? (
        <span className="truncate font-mono text-meta text-text">{template.name}</span>
      ) : (
        <Masked label={t('hidden')} seed={id} />
      )}
    </span>
  )
}

export function StatusCell({ message: { status, error } }: { message: ConsoleMessage }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Status status={status} />
      {status === 'failed' && error?.code != null && (
        <span className="font-mono text-meta text-danger">{error.code}</span>
      )}
    </span>
  )
}
