import type { ReactNode } from 'react'
import { formatAge } from '../../../lib/format.ts'
import { StatusIcon, type StatusName } from '../../../ui/data/status.tsx'
import { type Stop, Timeline } from '../../../ui/line/timeline.tsx'
import type { Checked, Format } from './check-delivery.ts'
import { useSignatureTexts } from './signature-texts.ts'

const TOLERANCE_SECONDS = 300

type Texts = ReturnType<typeof useSignatureTexts>
type Judged = { status: StatusName; below: ReactNode }

/** Shows the checks of a receiver in their order, and where it stops. */
export function SignatureResult({ checked, expected }: { checked: Checked; expected: Format | undefined }) {
  const t = useSignatureTexts()
  const parts = {
    version: judgeVersion(checked, expected, t),
    form: checked.isFormed ? ok(t('formOk')) : failed(t('formMissing')),
    signature: judgeSignature(checked, t),
    timestamp: judgeTimestamp(checked, t),
    body: checked.isJson ? ok(t('bodyOk', { event: checked.event ?? 'JSON' })) : failed(t('bodyNoJson')),
  }
  const stops = (Object.keys(parts) as (keyof typeof parts)[]).map((id): Stop => {
    const { status, below } = parts[id]
    return {
      id,
      mark: <StatusIcon status={status} />,
      title: <span className="font-mono text-meta">{t(`check.${id}`)}</span>,
      below,
      isQuiet: status === 'skipped',
    }
  })
  return (
    <div role="status" className="flex flex-col gap-4">
      <p className="flex items-center gap-2 text-section font-semibold text-text">
        <StatusIcon status={checked.isAccepted ? 'ok' : 'failing'} size={20} />
        {checked.isAccepted ? t('ok') : t('refused')}
      </p>
      {checked.isAccepted && <p>{t('okText')}</p>}
      <Timeline label={t('result')} stops={stops} />
    </div>
  )
}

function ok(below: ReactNode): Judged {
  return { status: 'ok', below }
}

function failed(below: ReactNode): Judged {
  return { status: 'failing', below: <span className="break-words">{below}</span> }
}

function judgeVersion({ version }: Checked, expected: Format | undefined, t: Texts): Judged {
  if (!('refused' in version)) return ok(t('versionOk', version))
  if (version.refused === 'versionMissing') return failed(t('versionMissing'))
  return failed(t('versionOther', { format: version.format ?? '', expected: expected ?? '' }))
}

function judgeSignature({ signature, version }: Checked, t: Texts): Judged {
  if (signature === undefined) return { status: 'skipped', below: t('notChecked') }
  if (signature.isRight) return ok(t('signatureOk'))
  const format = version.format === 'native' ? 'compat' : 'native'
  return failed(
    <>
      <span className="block break-all">{t('signatureWrong', { expected: signature.expected })}</span>
      <span className="block text-text">{t(signature.cause, { format })}</span>
    </>,
  )
}

function judgeTimestamp({ ageSeconds }: Checked, t: Texts): Judged {
  if (ageSeconds === undefined) return { status: 'skipped', below: t('notChecked') }
  if (ageSeconds === null) return ok(t('timestampUnsigned'))
  const age = formatAge(Math.abs(ageSeconds) * 1000)
  return Math.abs(ageSeconds) <= TOLERANCE_SECONDS ? ok(t('timestampOk', { age })) : failed(t('timestampOld', { age }))
}
