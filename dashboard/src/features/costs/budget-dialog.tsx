import type { Channel } from '@hubline/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { hub } from '../../api/hub.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { showToast } from '../../ui/states/toasts.tsx'
import { useCostsTexts } from './costs-texts.ts'
import { countMinorUnits, parseMinorUnits } from './money.ts'

type BudgetDialogProps = { channel: Channel; currency: string; onClose: () => void }

export function BudgetDialog({ channel, currency, onClose }: BudgetDialogProps) {
  const t = useCostsTexts()
  const client = useQueryClient()
  const form = useId()
  const { monthly_budget: before } = channel
  const [text, setText] = useState(before === null ? '' : String(before / countMinorUnits(currency)))
  const budget = text.trim() === '' ? null : parseMinorUnits(text, currency)
  const [isTried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: (monthly_budget: number | null) => hub.channels.update(channel.id, { monthly_budget }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: channelsQuery.queryKey })
      showToast(t('saved'))
      onClose()
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (budget !== undefined) save.mutate(budget)
  }
  const example = formatNumber(1250.5, { minimumFractionDigits: 2, useGrouping: false })
  return (
    <Dialog
      title={t(before === null ? 'setBudgetOf' : 'changeBudget', { name: channel.name })}
      description={t('budgetText')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={save.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('budgetAmount', { currency })}
          hint={t('budgetHint')}
          inputMode="decimal"
          value={text}
          {...(isTried && budget === undefined && { error: t('budgetWrong', { example }) })}
          onChange={(event) => setText(event.target.value)}
        />
        {save.error && <FailureNotice error={save.error} />}
      </form>
    </Dialog>
  )
}
