import type { AttemptRecord, Webhook } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { revealedQuery } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { useCopied } from '../../../ui/controls/copy.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useDeliveryTexts } from './delivery-texts.ts'
import { decodeBase64, writeDeliveryCurl } from './request-text.ts'

type CurlButtonProps = { webhook: Webhook; deliveryId: string; attempt: AttemptRecord }

/** Copies the request of an attempt. It has the body, so that the body is shown too, and the look audited. */
export function CurlButton({ webhook, deliveryId, attempt }: CurlButtonProps) {
  const t = useDeliveryTexts()
  const u = useUiTexts()
  const [isCopied, copy] = useCopied()
  const revealed = useQuery(revealedQuery(webhook.id, deliveryId))
  async function copyCurl(): Promise<void> {
    const data = revealed.data ?? (await revealed.refetch()).data
    if (data === undefined) return
    copy(writeDeliveryCurl(webhook.url, attempt.request_headers ?? {}, decodeBase64(data.body_base64 ?? '') ?? ''))
  }
  return (
    <Button
      size="bar"
      icon={isCopied ? 'check' : 'terminal'}
      isBusy={revealed.isFetching}
      title={t('copyCurlHint')}
      onClick={() => void copyCurl()}
    >
      <span aria-live="polite">{isCopied ? u('copied') : t('copyCurl')}</span>
    </Button>
  )
}
