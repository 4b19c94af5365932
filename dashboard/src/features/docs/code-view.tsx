import { useRefusal } from '../../api/permissions.ts'
import { cx } from '../../lib/cx.ts'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { CopyButton, CopyTextButton } from '../../ui/controls/copy.tsx'
import type { CodePart } from './content.ts'
import { useDocsTexts } from './docs-texts.ts'
import { useFilledText, useFilledValue, useReader } from './reader.tsx'

const COLORS = { name: 'text-info', text: 'text-accent', literal: 'text-warn', comment: 'text-text-3' }
const LANGUAGES: Record<string, string> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  json: 'JSON',
  php: 'PHP',
  go: 'Go',
  python: 'Python',
  ruby: 'Ruby',
  sql: 'SQL',
  yaml: 'YAML',
}

/** Commands and data have long lines that mean the same when they are broken. */
const WRAPPED = new Set(['sh', 'json'])

/** Code with the values of the reader in their places, marked. */
export function CodeView({ parts, language }: { parts: readonly CodePart[]; language: string }) {
  const t = useDocsTexts()
  const fill = useFilledValue()
  const toText = useFilledText()
  const name = LANGUAGES[language]
  return (
    <div className="relative min-w-0 shrink-0 rounded-control border border-line bg-sunken">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
        tabIndex={0}
        aria-label={name === undefined ? t('code') : t('codeOf', { language: name })}
        className="overflow-x-auto rounded-control p-3 pr-10 font-mono text-meta text-text"
      >
        <pre className={cx(WRAPPED.has(language) && 'break-words whitespace-pre-wrap')}>
          {parts.map((part, position) => {
            if (typeof part === 'string') return part
            if ('token' in part) {
              return (
                <span key={position} className={COLORS[part.token]}>
                  {part.text}
                </span>
              )
            }
            const { text, isOwn } = fill(part.value)
            if (!isOwn) return text
            return (
              <mark key={position} className="rounded-badge bg-accent-soft px-0.5 text-accent">
                {text}
              </mark>
            )
          })}
        </pre>
      </section>
      <span className="absolute top-2 right-2 flex rounded-badge bg-sunken">
        <CopyButton text={toText(parts)} />
      </span>
    </div>
  )
}

/** A place for an id of the reader's channel. */
export function isOfChannel(part: CodePart): boolean {
  return typeof part === 'object' && 'value' in part && part.value !== 'origin'
}

/** A reader copies an example, and uses it with a key that they have or make. */
export function ExampleActions({ parts }: { parts: readonly CodePart[] }) {
  const t = useDocsTexts()
  const toText = useFilledText()
  const { isSignedIn, channel } = useReader()
  const isFilled = parts.some(isOfChannel)
  const needsKey = parts.some((part) => typeof part === 'string' && part.includes('HUBLINE_KEY'))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <CopyTextButton text={toText(parts)} />
      {isSignedIn && needsKey && <CreateKeyLink />}
      {isFilled && channel && <span className="text-meta text-text-3">{t('filledIn')}</span>}
    </div>
  )
}

function CreateKeyLink() {
  const t = useDocsTexts()
  if (useRefusal('api_keys:write') !== undefined) return null
  return (
    <ButtonLink size="bar" icon="key" to="/api-keys" search={{ dialog: 'create' }}>
      {t('createKey')}
    </ButtonLink>
  )
}
