import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '../../../api/channels.ts'
import { formatPhone } from '../../../lib/format.ts'
import { Choice } from '../../../ui/controls/choice.tsx'
import { CheckField } from '../../../ui/controls/field.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { useEditTexts } from './edit-texts.ts'
import type { EndpointForm } from './endpoint-form.ts'

type ChannelChoiceProps = { form: EndpointForm; onChange: (next: Partial<EndpointForm>) => void }

/** Every channel, or a list of them. */
export function ChannelChoice({ form, onChange }: ChannelChoiceProps) {
  const t = useEditTexts()
  return (
    <div>
      <Choice
        label={t('channels')}
        name="channels"
        value={form.isEveryChannel ? 'all' : 'some'}
        options={[
          { value: 'all', title: t('everyChannel') },
          { value: 'some', title: t('someChannels') },
        ]}
        onChange={(value) => onChange({ isEveryChannel: value === 'all' })}
      />
      {!form.isEveryChannel && <ChannelList form={form} onChange={onChange} />}
    </div>
  )
}

function ChannelList({ form, onChange }: ChannelChoiceProps) {
  const t = useEditTexts()
  const channels = useQuery(channelsQuery)
  if (channels.isPending) return <Skeleton rows={3} />
  if (channels.isLoadingError) {
    return <ErrorState title={t('channelsFailed')} error={channels.error} onRetry={() => void channels.refetch()} />
  }
  if (channels.data.length === 0) return <p className="px-3">{t('noChannels')}</p>
  return (
    <div className="ml-3 flex max-h-52 flex-col gap-2 overflow-y-auto border-l border-line py-1 pl-4">
      {channels.data.map(({ id, name, display_phone_number }) => (
        <CheckField
          key={id}
          label={name}
          hint={display_phone_number ? formatPhone(display_phone_number) : undefined}
          checked={form.channelIds.includes(id)}
          onChange={({ target }) =>
            onChange({
              channelIds: target.checked ? [...form.channelIds, id] : form.channelIds.filter((one) => one !== id),
            })
          }
        />
      ))}
    </div>
  )
}
