import { type ReactNode, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { CopyTextButton } from '../controls/copy.tsx'
import { Segmented } from '../controls/segmented.tsx'

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(-?\d+(?:\.\d+)?|true|false|null)\b/g

/** JSON with its names, texts and numbers apart. */
function colorJson(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS)) {
    const [whole, quoted, colon, literal] = match
    parts.push(text.slice(end, match.index))
    const color = quoted === undefined ? 'text-warn' : colon === undefined ? 'text-accent' : 'text-info'
    parts.push(
      <span key={match.index} className={color}>
        {quoted ?? literal}
      </span>,
      colon ?? '',
    )
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}

const TEXT = 'overflow-auto font-mono text-meta text-text'
const BLOCK = `max-h-96 rounded-control border border-line bg-sunken p-3 ${TEXT}`
/** In a card: without a frame of its own, and with lines that end where the card does. */
const FLUSH = `max-h-[32rem] p-4 break-words [&_pre]:whitespace-pre-wrap ${TEXT}`

type JsonBlockProps = { value: unknown; label: string; isFlush?: boolean }

export function JsonBlock({ value, label, isFlush = false }: JsonBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    <section tabIndex={0} aria-label={label} className={isFlush ? FLUSH : BLOCK}>
      <pre>{colorJson(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
    </section>
  )
}

export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    <section tabIndex={0} aria-label={label} className={cx(BLOCK, className)}>
      <pre>{code}</pre>
    </section>
  )
}

/** The same in several languages, one at a time. */
export function CodeTabs({ label, samples }: { label: string; samples: Record<string, string> }) {
  const names = Object.keys(samples)
  const [chosen, setChosen] = useState(names[0] ?? '')
  const code = samples[chosen] ?? ''
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          label={label}
          value={chosen}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={setChosen}
        />
        <CopyTextButton text={code} />
      </div>
      <CodeBlock code={code} label={chosen} />
    </div>
  )
}
