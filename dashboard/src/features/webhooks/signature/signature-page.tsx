import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiExample } from '../../../lib/api-example.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { PasswordField, SelectField, TextArea } from '../../../ui/controls/field.tsx'
import { Card, Page, PageHeader } from '../../../ui/data/card.tsx'
import { checkDelivery, type Pasted } from './check-delivery.ts'
import { takeHanded } from './handed-over.ts'
import { SignatureResult } from './signature-result.tsx'
import { useSignatureTexts } from './signature-texts.ts'

const EMPTY: Pasted = { headers: '', body: '', secret: '', format: undefined }

/** Judges a delivery as a receiver does, without sending anything. */
export function SignaturePage() {
  const t = useSignatureTexts()
  const [pasted, setPasted] = useState<Pasted>(() => ({ ...EMPTY, ...takeHanded() }))
  const isComplete = pasted.headers.trim() !== '' && pasted.body !== '' && pasted.secret !== ''
  // A query of its own for each text; nothing of it is kept.
  const { data: checked } = useQuery({
    queryKey: ['signature', pasted],
    queryFn: () => checkDelivery(pasted),
    enabled: isComplete,
    gcTime: 0,
  })
  useApiExample({
    method: 'POST',
    path: '/api/v1/webhooks/WEBHOOK_ID/test',
    sdk: "import { verifyWebhook } from '@hubline/sdk'\n\nconst event = await verifyWebhook(secret, request.headers, rawBody)",
  })
  function change(next: Partial<Pasted>): void {
    setPasted({ ...pasted, ...next })
  }
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <ButtonLink icon="chevron-left" to="/webhooks">
            {t('back')}
          </ButtonLink>
        }
      >
        {t('subtitle')}
      </PageHeader>
      <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
        <Card>
          <div className="flex flex-col gap-4 [&_textarea]:font-mono [&_textarea]:text-meta">
            <TextArea
              label={t('headers')}
              hint={t('headersHint')}
              rows={6}
              autoFocus
              spellCheck={false}
              value={pasted.headers}
              onChange={(event) => change({ headers: event.target.value })}
            />
            <TextArea
              label={t('body')}
              hint={t('bodyHint')}
              rows={8}
              spellCheck={false}
              value={pasted.body}
              onChange={(event) => change({ body: event.target.value })}
            />
            <PasswordField
              label={t('secret')}
              hint={t('secretHint')}
              autoComplete="off"
              value={pasted.secret}
              onChange={(event) => change({ secret: event.target.value })}
            />
            <SelectField
              label={t('endpointFormat')}
              value={pasted.format ?? ''}
              onChange={({ target }) =>
                change({ format: target.value === '' ? undefined : (target.value as 'native') })
              }
            >
              <option value="">{t('anyFormat')}</option>
              <option value="native">native</option>
              <option value="compat">compat</option>
            </SelectField>
          </div>
        </Card>
        <Card title={t('result')}>
          {checked && isComplete ? (
            <SignatureResult checked={checked} expected={pasted.format} />
          ) : (
            <p>{t('waiting')}</p>
          )}
        </Card>
      </div>
    </Page>
  )
}
