import type { Channel, NumberFaults } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { channelsQuery } from '../../../api/channels.ts'
import { QUALITY_RATINGS } from '../../../api/generated/definitions.gen.ts'
import { hub } from '../../../api/hub.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Menu } from '../../../ui/controls/menu.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { conversationsKey, faultsQuery } from '../queries.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { chipClasses, FaultChip } from './fault-chip.tsx'
import { TemplateReviews } from './template-reviews.tsx'

const NO_FAULTS: NumberFaults = {
  phone_offline: false,
  callback_delay_ms: 0,
  duplicate: false,
  reorder: false,
  fail_with: null,
}
const DELAYS_MS = [5000, 30_000, 60_000]

type MakeItHardProps = { channel: Channel; quality: string }

/** Lists the faults of a number, each with its state and a way back. */
export function MakeItHard({ channel, quality }: MakeItHardProps) {
  const t = useSandboxTexts()
  const client = useQueryClient()
  const refusal = useRoleRefusal('developer')
  const { data } = useQuery(faultsQuery(channel.id))
  const [wasRevoked, setRevoked] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const faults = data?.faults ?? NO_FAULTS
  const isLost = wasRevoked || channel.status === 'disconnected'
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    async onSettled() {
      await Promise.all([
        client.invalidateQueries({ queryKey: faultsQuery(channel.id).queryKey }),
        client.invalidateQueries({ queryKey: conversationsKey(channel.id) }),
        client.invalidateQueries({ queryKey: channelsQuery.queryKey }),
      ])
    },
  })
  function set(part: Partial<NumberFaults>): void {
    change.mutate(() => hub.console.setSandboxFaults(channel.id, { ...faults, ...part }))
  }
  async function revoke(): Promise<void> {
    await hub.console.revokeSandboxToken(channel.id)
    setRevoked(true)
  }
  async function connect(): Promise<void> {
    await hub.console.connectSandboxChannel(channel.id)
    setRevoked(false)
  }
  async function reset(): Promise<void> {
    await hub.console.setSandboxFaults(channel.id, NO_FAULTS)
    if (quality !== 'GREEN') await hub.console.setSandboxQuality(channel.id, { rating: 'GREEN' })
    if (isLost) await connect()
  }
  const disabled = refusal !== undefined || change.isPending || !data
  const isHard =
    isLost ||
    quality !== 'GREEN' ||
    Object.entries(NO_FAULTS).some(([name, usual]) => {
      return faults[name as keyof NumberFaults] !== usual
    })
  return (
    <section
      aria-label={t('makeItHard')}
      className="flex flex-col gap-2 border-t border-line bg-bg px-6 py-3 max-tablet:px-4"
    >
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-section font-semibold text-text">{t('makeItHard')}</h2>
        <p className="text-meta text-text-3">{refusal ?? t('makeItHardText')}</p>
        {isHard && (
          <Button size="bar" icon="replay" className="ml-auto" disabled={disabled} onClick={() => change.mutate(reset)}>
            {t('reset')}
          </Button>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <FaultChip
          label={t('phoneOffline')}
          isOn={faults.phone_offline}
          disabled={disabled}
          onChange={(phone_offline) => set({ phone_offline })}
        />
        <ChoiceChip
          label={
            faults.callback_delay_ms === 0
              ? t('callbacksLate')
              : t('callbacksLateBy', { time: formatDuration(faults.callback_delay_ms) })
          }
          isOn={faults.callback_delay_ms > 0}
          disabled={disabled}
          value={faults.callback_delay_ms}
          options={[
            { value: 0, label: t('inTime') },
            ...DELAYS_MS.map((value) => ({ value, label: t('callbacksLateBy', { time: formatDuration(value) }) })),
          ]}
          onChange={(callback_delay_ms) => set({ callback_delay_ms })}
        />
        <FaultChip
          label={t('duplicate')}
          isOn={faults.duplicate}
          disabled={disabled}
          onChange={(duplicate) => set({ duplicate })}
        />
        <FaultChip
          label={t('reorder')}
          isOn={faults.reorder}
          disabled={disabled}
          onChange={(reorder) => set({ reorder })}
        />
        <ChoiceChip
          label={faults.fail_with === null ? t('failWith') : t('failWithCode', { code: String(faults.fail_with) })}
          isOn={faults.fail_with !== null}
          disabled={disabled}
          value={faults.fail_with}
          options={[
            { value: null, label: t('noFailure') },
            ...(data?.failure_codes ?? []).map((code) => ({ value: code, label: String(code) })),
          ]}
          onChange={(fail_with) => set({ fail_with })}
        />
        <ChoiceChip
          label={t('quality', { rating: quality })}
          isOn={quality !== 'GREEN'}
          disabled={disabled}
          value={quality}
          options={QUALITY_RATINGS.map((value) => ({ value, label: value }))}
          onChange={(rating) =>
            change.mutate(() =>
              hub.console.setSandboxQuality(channel.id, { rating: rating as (typeof QUALITY_RATINGS)[number] }),
            )
          }
        />
        <FaultChip
          label={isLost ? t('tokenRevoked') : t('revokeToken')}
          isOn={isLost}
          disabled={disabled}
          onChange={() => (isLost ? change.mutate(connect) : setConfirming(true))}
        />
        <TemplateReviews channelId={channel.id} disabled={disabled} />
      </div>
      {isLost && (
        <p role="status" className="text-meta text-text-2">
          {channel.status === 'disconnected' ? t('lostKnown') : t('lostUnknown')}
        </p>
      )}
      {change.error && !isConfirming && <FailureNotice error={change.error} />}
      {isConfirming && (
        <ConfirmDialog
          title={t('revokeTitle', { name: channel.name })}
          action={t('revokeToken')}
          isDanger
          isBusy={change.isPending}
          error={change.error && <FailureNotice error={change.error} />}
          onConfirm={() => change.mutate(revoke, { onSuccess: () => setConfirming(false) })}
          onClose={() => setConfirming(false)}
        >
          <p>{t('revokeText')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

type ChoiceChipProps<Value> = {
  label: string
  isOn: boolean
  disabled: boolean
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A fault that has several forms. */
function ChoiceChip<Value>({ label, isOn, disabled, value, options, onChange }: ChoiceChipProps<Value>) {
  return (
    <Menu
      items={options.map((option) => ({
        label: option.label,
        isChecked: option.value === value,
        onSelect: () => onChange(option.value),
      }))}
      trigger={
        <button type="button" disabled={disabled} className={chipClasses(isOn)}>
          {isOn && <Icon name="alert" size={12} />}
          {label}
          <Icon name="chevron-down" size={12} />
        </button>
      }
    />
  )
}
