import type { AttemptRecord, Webhook } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { bodyQuery } from '../../../api/webhooks.ts'
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
  const body = useQuery(bodyQuery(webhook.id, deliveryId))
  async function copyCurl(): Promise<void> {
    const base64 = body.data === undefined ? (await body.refetch()).data : body.data
    if (base64 === undefined) return
    copy(writeDeliveryCurl(webhook.url, attempt.request_headers ?? {}, decodeBase64(base64 ?? '') ?? ''))
  }
  return (
    <Button
      size="bar"
      icon={isCopied ? 'check' : 'terminal'}
      isBusy={body.isFetching}
      title={t('copyCurlHint')}
      onClick={() => void copyCurl()}
    >
      <span aria-live="polite">{isCopied ? u('copied') : t('copyCurl')}</span>
    </Button>
  )
}
