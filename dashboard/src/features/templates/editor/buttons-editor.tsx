import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { SelectField, TextField } from '../../../ui/controls/field.tsx'
import { BUTTON_KINDS, BUTTONS_MAX, type DraftButton, LENGTHS } from './draft.ts'
import { EditorSection } from './editor-section.tsx'
import { useEditorTexts } from './editor-texts.ts'

type ButtonsEditorProps = { buttons: DraftButton[]; onChange: (buttons: DraftButton[]) => void }

export function ButtonsEditor({ buttons, onChange }: ButtonsEditorProps) {
  const t = useEditorTexts()
  function replace(position: number, part: Partial<DraftButton>): void {
    onChange(buttons.map((button, at) => (at === position ? { ...button, ...part } : button)))
  }
  return (
    <EditorSection title={t('buttons')} below={`${buttons.length} / ${BUTTONS_MAX}`}>
      {buttons.map(({ kind, text, value }, position) => {
        const number = position + 1
        return (
          <div key={position} className="flex flex-wrap items-end gap-2">
            <SelectField
              label={t('buttonKind', { number })}
              value={kind}
              onChange={(event) => replace(position, { kind: event.target.value as DraftButton['kind'] })}
            >
              {BUTTON_KINDS.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </SelectField>
            <TextField
              className="min-w-40 flex-1"
              label={t('buttonText', { number })}
              value={text}
              maxLength={LENGTHS.button}
              onChange={(event) => replace(position, { text: event.target.value })}
            />
            {kind !== 'QUICK_REPLY' && (
              <TextField
                className="min-w-40 flex-1"
                label={t('buttonValue', { number })}
                value={value}
                maxLength={kind === 'URL' ? LENGTHS.url : LENGTHS.phone}
                onChange={(event) => replace(position, { value: event.target.value })}
              />
            )}
            <IconButton
              icon="x"
              label={t('removeButton', { number })}
              onClick={() => onChange(buttons.filter((_, at) => at !== position))}
            />
          </div>
        )
      })}
      {buttons.length < BUTTONS_MAX && (
        <Button
          kind="quiet"
          icon="plus"
          className="self-start"
          onClick={() => onChange([...buttons, { kind: 'QUICK_REPLY', text: '', value: '' }])}
        >
          {t('addButton')}
        </Button>
      )}
    </EditorSection>
  )
}
