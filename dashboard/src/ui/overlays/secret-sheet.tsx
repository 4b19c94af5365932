import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { CopyTextButton } from '../controls/copy.tsx'
import { CheckField } from '../controls/field.tsx'
import { Badge } from '../data/badge.tsx'
import { Notice } from '../states/notice.tsx'
import { useUiTexts } from '../texts.ts'
import { Sheet } from './dialog.tsx'

type SecretBlockProps = {
  label: string
  secret: string
  /** The purpose of the secret, in a sentence. */
  purpose: string
  /** At the right end of the label's line. */
  aside?: ReactNode
}

type SecretSheetProps = SecretBlockProps & {
  title: ReactNode
  description?: ReactNode
  /** The line of an `.env` file. */
  env?: { name: string }
  onDone: () => void
  children?: ReactNode
}

/** The only sight of a secret: it closes after its reader has ticked that it is stored. */
export function SecretSheet({ title, description, env, onDone, children, ...block }: SecretSheetProps) {
  const t = useUiTexts()
  const [isStored, setStored] = useState(false)
  const isGivenUp = useRef(false)
  const leaving = useBlocker({
    // The page itself may change its address, as after the dialog that made the secret.
    shouldBlockFn: ({ current, next, action }) =>
      !isStored &&
      !isGivenUp.current &&
      (current.pathname !== next.pathname || (action !== 'PUSH' && action !== 'REPLACE')),
    enableBeforeUnload: !isStored,
    withResolver: true,
  })
  function leave(): void {
    isGivenUp.current = true
    leaving.proceed?.()
    onDone()
  }
  return (
    <Sheet
      title={title}
      description={description}
      isLocked
      onClose={onDone}
      footer={
        <>
          {leaving.status === 'blocked' && <LeaveQuestion onLeave={leave} onStay={leaving.reset} />}
          <CheckField label={t('stored')} checked={isStored} onChange={(event) => setStored(event.target.checked)} />
          <span className="flex gap-2">
            {env && <CopyTextButton size="normal" label={t('copyEnv')} text={`${env.name}=${block.secret}`} />}
            <Button kind="primary" disabled={!isStored} onClick={onDone}>
              {t('done')}
            </Button>
          </span>
        </>
      }
    >
      <SecretBlock {...block} />
      {children}
    </Sheet>
  )
}

/** Asked where the browser would go to another page. */
function LeaveQuestion({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const t = useUiTexts()
  return (
    <div className="w-full">
      <Notice
        tone="danger"
        icon="alert"
        title={t('leaveTitle')}
        action={
          <span className="flex gap-2">
            <Button size="bar" kind="danger" onClick={onLeave}>
              {t('leave')}
            </Button>
            <Button size="bar" onClick={onStay}>
              {t('stay')}
            </Button>
          </span>
        }
      >
        {t('leaveText')}
      </Notice>
    </div>
  )
}

/** A secret in plain sight, with what it is for. */
export function SecretBlock({ label, secret, purpose, aside }: SecretBlockProps) {
  const t = useUiTexts()
  return (
    <section className="flex flex-col gap-2">
      <h3 className="flex flex-wrap items-center gap-2 text-section font-semibold text-text">
        {label}
        <Badge tone="warn" icon="lock">
          {t('secretOnce')}
        </Badge>
        {aside !== undefined && <span className="ml-auto text-base font-normal text-text-3">{aside}</span>}
      </h3>
      <p>{purpose}</p>
      <div className="flex items-center gap-2 rounded-control border border-ctl bg-sunken p-2 pl-3">
        <code className="min-w-0 flex-1 font-mono break-all whitespace-pre-wrap text-text">{secret}</code>
        <CopyTextButton text={secret} />
      </div>
    </section>
  )
}
