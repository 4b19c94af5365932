import { SelectField, TextField } from '../../../ui/controls/field.tsx'
import { type Draft, MINUTES_MAX, OTP_KINDS } from './draft.ts'
import { EditorSection } from './editor-section.tsx'
import { useEditorTexts } from './editor-texts.ts'

type AuthenticationEditorProps = { otp: Draft['otp']; onChange: (otp: Draft['otp']) => void }

/** Meta writes the text of these templates. What can be chosen is a warning, an expiry and what the button does. */
export function AuthenticationEditor({ otp, onChange }: AuthenticationEditorProps) {
  const t = useEditorTexts()
  function change(part: Partial<Draft['otp']>): void {
    onChange({ ...otp, ...part })
  }
  return (
    <>
      <EditorSection title={t('body')} below={t('otpBody')}>
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            checked={otp.hasWarning}
            onChange={(event) => change({ hasWarning: event.target.checked })}
          />
          {t('otpWarning')}
        </label>
        <TextField
          label={t('otpMinutes')}
          hint={t('otpMinutesHint', { maximum: MINUTES_MAX })}
          inputMode="numeric"
          maxLength={2}
          value={otp.minutes}
          onChange={(event) => change({ minutes: event.target.value.replace(/\D/g, '') })}
        />
      </EditorSection>
      <EditorSection title={t('otpButton')} below={t('otpButtonHint')}>
        <SelectField
          label={t('otpKind')}
          value={otp.kind}
          onChange={(event) => change({ kind: event.target.value as Draft['otp']['kind'] })}
        >
          {OTP_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`otp.${kind}`)}
            </option>
          ))}
        </SelectField>
        {otp.kind !== 'COPY_CODE' && (
          <div className="grid grid-cols-2 gap-2 max-tablet:grid-cols-1">
            <TextField
              label={t('otpPackage')}
              placeholder="com.example.app"
              spellCheck={false}
              autoComplete="off"
              value={otp.packageName}
              onChange={(event) => change({ packageName: event.target.value.trim() })}
            />
            <TextField
              label={t('otpHash')}
              hint={t('otpHashHint')}
              spellCheck={false}
              autoComplete="off"
              maxLength={11}
              value={otp.signatureHash}
              onChange={(event) => change({ signatureHash: event.target.value.trim() })}
            />
          </div>
        )}
        {otp.kind === 'ZERO_TAP' && (
          <label className="flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-0.5 size-4 accent-accent"
              checked={otp.acceptsTerms}
              onChange={(event) => change({ acceptsTerms: event.target.checked })}
            />
            {t('otpTerms')}
          </label>
        )}
      </EditorSection>
    </>
  )
}
