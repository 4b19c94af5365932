import type { CreateTemplate } from '@hubline/sdk'
import { EXAMPLE_BYTES_MAX } from '../../../api/generated/definitions.gen.ts'
import type { TemplateComponent } from '../template.ts'

export const CATEGORIES = ['UTILITY', 'MARKETING'] as const
export const HEADER_KINDS = ['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type FileType = keyof typeof EXAMPLE_BYTES_MAX
/** The files that may stand in a header. */
export const FILE_TYPES = {
  IMAGE: listTypes('image/'),
  VIDEO: listTypes('video/'),
  DOCUMENT: listTypes('application/'),
} satisfies Partial<Record<(typeof HEADER_KINDS)[number], readonly FileType[]>>
export const BUTTON_KINDS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'] as const
export const LENGTHS = { header: 60, body: 1024, footer: 60, button: 25, url: 2000, phone: 20 } as const
export const BUTTONS_MAX = 10

export type HeaderFile = { handle: string; name: string; type: string; bytes: number; url: string | undefined }
export type DraftButton = { kind: (typeof BUTTON_KINDS)[number]; text: string; value: string }

/** The input of a person, before it is a template. */
export type Draft = {
  name: string
  language: string
  category: (typeof CATEGORIES)[number]
  header: { kind: (typeof HEADER_KINDS)[number]; text: string; file: HeaderFile | undefined }
  body: string
  /** Values for Meta's reviewer, by variable; never sent. */
  samples: Record<string, string>
  footer: string
  buttons: DraftButton[]
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  language: 'pt_BR',
  category: 'UTILITY',
  header: { kind: 'NONE', text: '', file: undefined },
  body: '',
  samples: {},
  footer: '',
  buttons: [],
}

function listTypes(start: string): FileType[] {
  return (Object.keys(EXAMPLE_BYTES_MAX) as FileType[]).filter((type) => type.startsWith(start))
}

/** The variables of a text in the order in which they appear, each once. */
export function listVariables(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map(([, name = '']) => name))]
}

/** The draft as the API takes it. */
export function toTemplate(draft: Draft): CreateTemplate {
  return {
    name: draft.name,
    language: draft.language,
    category: draft.category,
    parameter_format: 'POSITIONAL',
    components: toComponents(draft),
  }
}

export function toComponents({ header, body, samples, footer, buttons }: Draft): TemplateComponent[] {
  const values = listVariables(body).map((name) => samples[name] ?? '')
  return [
    ...toHeader(header),
    { type: 'BODY', text: body, ...(values.length > 0 && { example: { body_text: [values] } }) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(toButton) }]),
  ]
}

function toHeader({ kind, text, file }: Draft['header']): TemplateComponent[] {
  if (kind === 'NONE') return []
  if (kind === 'TEXT') return [{ type: 'HEADER', format: 'TEXT', text }]
  return [{ type: 'HEADER', format: kind, example: { header_handle: file ? [file.handle] : [] } }]
}

function toButton({ kind, text, value }: DraftButton) {
  if (kind === 'URL') return { type: kind, text, url: value }
  return kind === 'PHONE_NUMBER' ? { type: kind, text, phone_number: value } : { type: kind, text }
}
