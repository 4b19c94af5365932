import { HubError } from '@hubline/sdk'
import type { AcceptedMessage } from '@hubline/sdk/console'
import { writeCurl } from '../../../../lib/api-example.ts'
import { ButtonLink } from '../../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../../ui/controls/copy.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { CodeBlock, JsonBlock } from '../../../../ui/data/code.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { Notice } from '../../../../ui/states/notice.tsx'
import { useUiTexts } from '../../../../ui/texts.ts'
import { type TestRequest, toPath } from './draft.ts'
import { SentSteps } from './sent-steps.tsx'
import { useTestTexts } from './test-texts.ts'

type ExchangeCardProps = {
  channelId: string
  idempotencyKey: string
  request: TestRequest | undefined
  sent: AcceptedMessage | undefined
  error: unknown
}

/** The request as it is sent, its response, and then what becomes of the message. */
export function ExchangeCard({ channelId, idempotencyKey, request, sent, error }: ExchangeCardProps) {
  const t = useTestTexts()
  const u = useUiTexts()
  const body = request?.body
  const path = toPath(channelId, request)
  const head = `POST ${path}\nIdempotency-Key: ${idempotencyKey}\n\n`
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {sent && <SentSteps sent={sent} />}
      {error !== null && error !== undefined && <Failure channelId={channelId} error={error} />}
      <Card
        title={t('request')}
        aside={body && <CopyTextButton text={writeCurl({ method: 'POST', path, body })} label={u('copyCurl')} />}
      >
        <CodeBlock label={t('request')} code={head + JSON.stringify(body ?? {}, null, 2)} />
      </Card>
      <Card title={t('response')}>
        {sent ? (
          <JsonBlock label={t('response')} value={{ data: { message: sent } }} />
        ) : error instanceof HubError ? (
          <JsonBlock
            label={t('response')}
            value={{
              error: { code: error.code, message: error.message, request_id: error.requestId, details: error.details },
            }}
          />
        ) : (
          <p className="text-text-3">{t('waiting')}</p>
        )}
      </Card>
    </div>
  )
}

/** A send without a known outcome must be looked up, not repeated. */
function Failure({ channelId, error }: { channelId: string; error: unknown }) {
  const t = useTestTexts()
  if (error instanceof HubError && error.code === 'SEND_RESULT_UNKNOWN') {
    return (
      <Notice
        tone="warn"
        icon="help"
        title={t('unknown')}
        action={
          <ButtonLink size="bar" to="/messages" search={{ channel_id: channelId, status: 'unknown' }}>
            {t('check')}
          </ButtonLink>
        }
      >
        {t('unknownText')}
      </Notice>
    )
  }
  return <FailureNotice error={error} />
}
