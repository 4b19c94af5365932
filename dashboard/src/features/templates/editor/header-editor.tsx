import { useMutation } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { EXAMPLE_BYTES_MAX } from '../../../api/generated/definitions.gen.ts'
import { hub } from '../../../api/hub.ts'
import { formatBytes } from '../../../lib/format.ts'
import { TextField } from '../../../ui/controls/field.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { type Draft, FILE_TYPES, HEADER_KINDS, type HeaderFile, LENGTHS } from './draft.ts'
import { EditorSection } from './editor-section.tsx'
import { useEditorTexts } from './editor-texts.ts'
import { detectType } from './file-type.ts'

type HeaderEditorProps = {
  channelId: string
  header: Draft['header']
  onChange: (header: Draft['header']) => void
}

export function HeaderEditor({ channelId, header, onChange }: HeaderEditorProps) {
  const t = useEditorTexts()
  return (
    <EditorSection title={t('header')} below={t('optional')}>
      <Segmented
        label={t('header')}
        value={header.kind}
        options={HEADER_KINDS.map((value) => ({ value, label: t(`header.${value}`) }))}
        onChange={(kind) => onChange({ ...header, kind, file: undefined })}
      />
      {header.kind === 'TEXT' && (
        <TextField
          label={t('headerText')}
          value={header.text}
          maxLength={LENGTHS.header}
          onChange={(event) => onChange({ ...header, text: event.target.value })}
        />
      )}
      {header.kind !== 'NONE' && header.kind !== 'TEXT' && (
        <ExampleFile
          key={header.kind}
          channelId={channelId}
          kind={header.kind}
          file={header.file}
          onUploaded={(file) => onChange({ ...header, file })}
        />
      )}
    </EditorSection>
  )
}

type ExampleFileProps = {
  channelId: string
  kind: keyof typeof FILE_TYPES
  file: HeaderFile | undefined
  onUploaded: (file: HeaderFile) => void
}

/** Uploads the example that Meta's reviewer sees. The hub judges it by its bytes once more. */
function ExampleFile({ channelId, kind, file, onUploaded }: ExampleFileProps) {
  const t = useEditorTexts()
  const id = useId()
  const upload = useMutation({
    async mutationFn(chosen: File) {
      const type = await detectType(chosen)
      const { handle } = await hub.console.uploadTemplateExample(channelId, { file: chosen })
      const url = type.startsWith('image/') ? URL.createObjectURL(chosen) : undefined
      return { handle, name: chosen.name, type, bytes: chosen.size, url }
    },
  })
  const url = file?.url
  useEffect(() => {
    return () => {
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [url])
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3 rounded-control border border-line p-3">
        {file && (
          <span className="min-w-0 flex-1">
            <span className="block truncate text-text">{file.name}</span>
            <span className="flex items-center gap-1.5 text-meta">
              <Icon name="ring-tick" size={12} className="text-ok" />
              {t('byBytes', { type: file.type })} · {formatBytes(file.bytes)}
            </span>
          </span>
        )}
        <label
          htmlFor={id}
          className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-2 px-3 font-medium text-text shadow-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-hover max-tablet:min-h-11"
        >
          <Icon name={upload.isPending ? 'arc' : 'upload'} size={14} className={upload.isPending ? 'turning' : ''} />
          {upload.isPending ? t('fileUploading') : file ? t('replaceFile') : t('chooseFile')}
          <input
            id={id}
            type="file"
            className="sr-only"
            accept={FILE_TYPES[kind].join()}
            onChange={(event) => {
              const [chosen] = event.target.files ?? []
              // An upload that ends after another kind of header was chosen is not the header's file.
              if (chosen) upload.mutate(chosen, { onSuccess: onUploaded })
              // The same file can be chosen again, after a failure.
              event.target.value = ''
            }}
          />
        </label>
      </div>
      <p className="text-meta text-text-3">
        {FILE_TYPES[kind]
          .map((type) =>
            t('fileSize', { type: type.replace(/.*\//, '').toUpperCase(), size: EXAMPLE_BYTES_MAX[type] / 2 ** 20 }),
          )
          .join(', ')}
        . {t('fileHint')}
      </p>
      {upload.error && <FailureNotice error={upload.error} />}
    </div>
  )
}
