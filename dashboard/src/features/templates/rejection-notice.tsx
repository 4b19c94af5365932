import type { ReactNode } from 'react'
import { Notice } from '../../ui/states/notice.tsx'
import { useTemplateTexts } from './templates-texts.ts'

/** Reasons of Meta's review with a text. It may add others. */
const REASONS = [
  'ABUSIVE_CONTENT',
  'INVALID_FORMAT',
  'PROMOTIONAL',
  'TAG_CONTENT_MISMATCH',
  'INCORRECT_CATEGORY',
  'SCAM',
] as const

/** Explains why Meta refused a template, and what to change. Nothing without a reason. */
export function RejectionNotice({ reason, action }: { reason: string | null; action?: ReactNode }) {
  const t = useTemplateTexts()
  if (reason === null) return null
  const known = REASONS.find((one) => one === reason)
  return (
    <Notice tone="danger" title={t('rejected', { reason })} action={action}>
      {known && t(`rejection.${known}`)}
    </Notice>
  )
}
