import type { ChatMessage } from '@hubline/sdk/console'
import { Button } from '../../../ui/controls/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useErrorText } from '../../../ui/states/error-text.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import type { CustomerMessage } from '../customer.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { dropUnsent, noteFailure, type Unsent } from '../unsent.ts'
import { useCustomer } from '../use-customer.ts'

type UnsentBubbleProps = {
  unsent: Extract<Unsent, { kind: 'customer' }>
  /** The reason why the customer cannot write. */
  refusal: string | undefined
  onWritten: (message: ChatMessage) => void
}

/** A message that did not leave the phone, why, and what can be done about it. */
export function UnsentBubble({ unsent, refusal, onWritten }: UnsentBubbleProps) {
  const t = useSandboxTexts()
  const u = useUiTexts()
  const { id, channelId, customer, message } = unsent
  const { message: why } = useErrorText()(unsent.error)
  const write = useCustomer(channelId, onWritten)
  function retry(): void {
    write.mutateAsync({ customer, message }).then(
      () => dropUnsent(id),
      (error: unknown) => noteFailure(id, error),
    )
  }
  return (
    <li className="flex justify-end">
      <div
        role="alert"
        className="max-w-[82%] min-w-24 rounded-card border border-danger/30 bg-danger-soft px-2.5 py-1.5 text-text shadow-1"
      >
        <p className="break-words">{readText(message)}</p>
        <p className="mt-1 flex items-start gap-1.5 text-meta text-danger">
          <Icon name="ring-cross" size={14} />
          <span className="min-w-0">
            <strong className="font-semibold">{t('notSent')}</strong> {why}
          </span>
        </p>
        <p className="mt-1.5 flex flex-wrap justify-end gap-2">
          <Button size="bar" onClick={() => dropUnsent(id)}>
            {t('dismiss')}
          </Button>
          <Button size="bar" icon="refresh" isBusy={write.isPending} reason={refusal} onClick={retry}>
            {u('tryAgain')}
          </Button>
        </p>
      </div>
    </li>
  )
}

function readText(message: CustomerMessage): string {
  if (message.type === 'text') return message.text.body
  return message.type === 'reaction' ? message.reaction.emoji : message.type
}
