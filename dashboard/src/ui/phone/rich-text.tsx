import type { ReactNode } from 'react'

const MARKS = /\*(\S(?:[^*\n]*\S)?)\*|_(\S(?:[^_\n]*\S)?)_|~(\S(?:[^~\n]*\S)?)~|`([^`\n]+)`/g

/** The text of a message as a phone writes it: `*bold*`, `_italic_`, `~struck~` and code. */
export function RichText({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, bold, italic, struck, code] = match
    parts.push(text.slice(end, match.index))
    parts.push(
      bold !== undefined ? (
        <strong key={match.index} className="font-semibold">
          {bold}
        </strong>
      ) : italic !== undefined ? (
        <em key={match.index}>{italic}</em>
      ) : struck !== undefined ? (
        <s key={match.index}>{struck}</s>
      ) : (
        <code key={match.index} className="font-mono">
          {code}
        </code>
      ),
    )
    end = match.index + whole.length
  }
  return (
    <span className="break-words whitespace-pre-wrap">
      {parts}
      {text.slice(end)}
    </span>
  )
}
