import { Choice } from '../../../ui/controls/choice.tsx'
import { useEditTexts } from './edit-texts.ts'
import { type EndpointForm, withMode } from './endpoint-form.ts'

type FormatChoiceProps = {
  form: EndpointForm
  isFormatFixed: boolean
  onChange: (next: Partial<EndpointForm>) => void
}

const ENVELOPE = '{ id, event, channel_id,\n  occurred_at, data }'
const RAW = '{ object, entry: [{ id,\n  changes: […] }] }'
const V2 = 'HMAC(timestamp.delivery_id\n  .body)'
const COMPAT = 'HMAC(body)'
const OF_META = 'https://lookaside.fbsbx.com/…'
const OF_HUB = '…/graph/{media_id}/content'

/** Explains the two modes, the two addresses and the two formats, side by side. */
export function FormatChoice({ form, isFormatFixed, onChange }: FormatChoiceProps) {
  const t = useEditTexts()
  return (
    <>
      <Choice
        isRow
        label={t('mode')}
        name="payload_mode"
        value={form.payloadMode}
        options={[
          { value: 'normalized', title: 'normalized', text: <Explained text={t('normalizedText')} code={ENVELOPE} /> },
          { value: 'upstream_raw', title: 'upstream_raw', text: <Explained text={t('rawText')} code={RAW} /> },
        ]}
        onChange={(payloadMode) => onChange(isFormatFixed ? { payloadMode } : withMode(payloadMode))}
      />
      {isFormatFixed && <p className="text-meta text-text-3">{t('modeChange')}</p>}
      <Choice
        isRow
        label={t('mediaUrls')}
        name="media_urls"
        value={form.mediaUrls}
        options={[
          { value: 'upstream', title: 'upstream', text: <Explained text={t('mediaUpstreamText')} code={OF_META} /> },
          { value: 'hub', title: 'hub', text: <Explained text={t('mediaHubText')} code={OF_HUB} /> },
        ]}
        onChange={(mediaUrls) => onChange({ mediaUrls })}
      />
      {isFormatFixed && <p className="text-meta text-text-3">{t('mediaUrlsChange')}</p>}
      <Choice
        isRow
        label={t('format')}
        name="delivery_format"
        value={form.deliveryFormat}
        isDisabled={isFormatFixed}
        options={[
          { value: 'native', title: 'native', text: <Explained text={t('nativeText')} code={V2} /> },
          { value: 'compat', title: 'compat', text: <Explained text={t('compatText')} code={COMPAT} /> },
        ]}
        onChange={(deliveryFormat) => onChange({ deliveryFormat })}
      />
      {isFormatFixed && <p className="text-meta text-text-3">{t('formatFixed')}</p>}
    </>
  )
}

function Explained({ text, code }: { text: string; code: string }) {
  return (
    <>
      {text}
      <code className="mt-2 block font-mono text-meta whitespace-pre-wrap text-text-3">{code}</code>
    </>
  )
}
