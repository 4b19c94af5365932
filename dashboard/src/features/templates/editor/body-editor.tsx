import { useRef } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { TextArea, TextField } from '../../../ui/controls/field.tsx'
import { type Draft, LENGTHS, listVariables } from './draft.ts'
import { EditorSection } from './editor-section.tsx'
import { useEditorTexts } from './editor-texts.ts'

type BodyEditorProps = Pick<Draft, 'body' | 'samples'> & { onChange: (part: Partial<Draft>) => void }

/** The text with its variables, and a sample for each. */
export function BodyEditor({ body, samples, onChange }: BodyEditorProps) {
  const t = useEditorTexts()
  const frame = useRef<HTMLDivElement>(null)
  const variables = listVariables(body)

  /** Inserts a variable at the cursor, and moves the cursor behind it. */
  function addVariable(): void {
    const area = frame.current?.querySelector('textarea')
    const text = `{{${variables.length + 1}}}`
    const at = area?.selectionEnd ?? body.length
    onChange({ body: body.slice(0, at) + text + body.slice(at) })
    requestAnimationFrame(() => {
      area?.focus()
      area?.setSelectionRange(at + text.length, at + text.length)
    })
  }
  return (
    <EditorSection title={t('body')} below={`${body.length} / ${LENGTHS.body}`}>
      <div ref={frame}>
        <TextArea
          label={t('bodyLabel')}
          aside={
            <Button kind="quiet" size="bar" icon="plus" onClick={addVariable}>
              {t('addVariable')}
            </Button>
          }
          rows={5}
          value={body}
          maxLength={LENGTHS.body}
          onChange={(event) => onChange({ body: event.target.value })}
        />
      </div>
      {variables.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium text-text">{t('samples')}</legend>
          <div className="grid grid-cols-2 gap-2 max-tablet:grid-cols-1">
            {variables.map((name) => (
              <TextField
                key={name}
                label={t('sampleOf', { name: `{{${name}}}` })}
                value={samples[name] ?? ''}
                onChange={(event) => onChange({ samples: { ...samples, [name]: event.target.value } })}
              />
            ))}
          </div>
          <p className="text-meta text-text-3">{t('samplesHint')}</p>
        </fieldset>
      )}
    </EditorSection>
  )
}
