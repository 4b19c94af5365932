import { useDateRangeText } from '../../../ui/controls/filter-dates.tsx'
import { useStatusText } from '../../../ui/data/status.tsx'
import { useTypeText } from '../message-type.ts'
import { useMessagesTexts } from '../messages-texts.ts'
import { listStatuses, type MessageSearch, writeSubject } from '../search.ts'

type FilterWordsProps = { search: MessageSearch; channelNames: ReadonlyMap<string, string> }

/** Describes the filters in one line. */
export function FilterWords({ search, channelNames }: FilterWordsProps) {
  const t = useMessagesTexts()
  const statusText = useStatusText()
  const typeText = useTypeText()
  const dateText = useDateRangeText()
  const { channel_id, direction, status, type, template, error_code, date } = search
  const words = [
    writeSubject(search),
    channel_id && (channelNames.get(channel_id) ?? channel_id),
    status && listStatuses(status).map(statusText).join(', '),
    direction && t(direction),
    type && typeText(type),
    template,
    error_code,
    date && dateText(date),
  ]
  return <p className="break-words">{words.filter((word) => word !== undefined).join(' · ')}</p>
}
