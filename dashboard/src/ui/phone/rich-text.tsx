import type { ReactNode } from 'react'
import { type MarkedPart, splitMarks } from './marks.ts'

/** The text of a message as a phone writes it. */
export function RichText({ text }: { text: string }) {
  return (
    <span className="break-words whitespace-pre-wrap">
      {splitMarks(text).map((part, position) => (
        <Part key={position} {...part} />
      ))}
    </span>
  )
}

function Part({ mark, text }: MarkedPart): ReactNode {
  if (mark === 'bold') return <strong className="font-semibold">{text}</strong>
  if (mark === 'italic') return <em>{text}</em>
  if (mark === 'struck') return <s>{text}</s>
  return mark === 'code' ? <code className="font-mono">{text}</code> : text
}
