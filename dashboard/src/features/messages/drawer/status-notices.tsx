import { useState } from 'react'
import { useUpstreamErrors } from '../../../api/upstream-errors.ts'
import { formatClock } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'

/** Shows what went wrong, and what helps. */
export function StatusNotices({ message, onCheck }: { message: MessageDetail; onCheck: () => void }) {
  if (message.status === 'unknown') {
    return (
      <div className="border-b border-line p-5">
        <UnknownNotice onCheck={onCheck} />
      </div>
    )
  }
  if (message.error === null) return null
  return (
    <div className="border-b border-line p-5">
      <ErrorNotice error={message.error} />
    </div>
  )
}

/** Only a look is offered: another send might be a second message. */
function UnknownNotice({ onCheck }: { onCheck: () => void }) {
  const t = useDrawerTexts()
  const [checkedAt, setCheckedAt] = useState<Date>()
  return (
    <Notice
      tone="warn"
      icon="help"
      title={t('unknownTitle')}
      action={
        <Button
          size="bar"
          icon="refresh"
          onClick={() => {
            setCheckedAt(new Date())
            onCheck()
          }}
        >
          {t('check')}
        </Button>
      }
    >
      {checkedAt === undefined ? t('unknownText') : t('checked', { time: formatClock(checkedAt) })}{' '}
      <code className="font-mono text-meta">SEND_RESULT_UNKNOWN</code>
    </Notice>
  )
}

function ErrorNotice({ error }: { error: NonNullable<MessageDetail['error']> }) {
  const t = useDrawerTexts()
  const explain = useUpstreamErrors()
  const { code, title, details, explanation } = error
  const known = explain(code)
  const words = [known?.remedy ?? explanation, known === undefined ? details : undefined]
  return (
    <Notice
      tone="danger"
      title={`${known?.title ?? title ?? (code === null ? t('failedWithout') : t('failedWith', { code }))}.`}
    >
      {words.filter(Boolean).join(' ')}{' '}
      <span className="text-text-3">
        {code !== null && <code className="font-mono text-meta">{code}</code>}
        {known !== undefined && title !== null && <> · {title}</>}
        {known !== undefined && details !== null && details !== title && <> · {details}</>}
      </span>
    </Notice>
  )
}
