import type { CreateTemplate } from '@hubline/sdk'
import { EXAMPLE_BYTES_MAX } from '../../../api/generated/definitions.gen.ts'
import type { StoredTemplate, TemplateButton, TemplateComponent } from '../template.ts'

export const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const
export const HEADER_KINDS = ['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type FileType = keyof typeof EXAMPLE_BYTES_MAX
/** The files that may stand in a header. */
export const FILE_TYPES = {
  IMAGE: listTypes('image/'),
  VIDEO: listTypes('video/'),
  DOCUMENT: listTypes('application/'),
} satisfies Partial<Record<(typeof HEADER_KINDS)[number], readonly FileType[]>>
export const BUTTON_KINDS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'] as const
export const OTP_KINDS = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const
export const LENGTHS = { header: 60, body: 1024, footer: 60, button: 25, url: 2000, phone: 20 } as const
export const BUTTONS_MAX = 10
export const MINUTES_MAX = 90

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
  /** For a template of the category AUTHENTICATION, which has none of the parts above. */
  otp: {
    hasWarning: boolean
    /** Digits, or empty for a code without a shown expiry. */
    minutes: string
    kind: (typeof OTP_KINDS)[number]
    /** The Android app that takes the code, and the hash of its signing key. */
    packageName: string
    signatureHash: string
    acceptsTerms: boolean
  }
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
  otp: {
    hasWarning: true,
    minutes: '10',
    kind: 'COPY_CODE',
    packageName: '',
    signatureHash: '',
    acceptsTerms: false,
  },
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
    ...(draft.category !== 'AUTHENTICATION' && { parameter_format: 'POSITIONAL' as const }),
    components: toComponents(draft),
  }
}

export function toComponents(draft: Draft): TemplateComponent[] {
  if (draft.category === 'AUTHENTICATION') return toAuthentication(draft.otp)
  const { header, body, samples, footer, buttons } = draft
  const values = listVariables(body).map((name) => samples[name] ?? '')
  return [
    ...toHeader(header),
    { type: 'BODY', text: body, ...(values.length > 0 && { example: { body_text: [values] } }) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(toButton) }]),
  ]
}

function toAuthentication({ hasWarning, minutes, kind, ...app }: Draft['otp']): TemplateComponent[] {
  const apps = [{ package_name: app.packageName, signature_hash: app.signatureHash }]
  const button = {
    type: 'OTP',
    otp_type: kind,
    ...(kind !== 'COPY_CODE' && { supported_apps: apps }),
    ...(kind === 'ZERO_TAP' && { zero_tap_terms_accepted: app.acceptsTerms }),
  }
  return [
    { type: 'BODY', add_security_recommendation: hasWarning },
    ...(minutes === '' ? [] : [{ type: 'FOOTER', code_expiration_minutes: Number(minutes) }]),
    { type: 'BUTTONS', buttons: [button] },
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

const PARTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']

/** The draft of a template that exists. Undefined if it has a part that the form cannot show, and would therefore lose. */
export function toDraft({ name, language, category, components }: StoredTemplate): Draft | undefined {
  const known = CATEGORIES.find((one) => one === category.toUpperCase())
  const find = (type: string) => components.find((component) => component.type.toUpperCase() === type)
  const [header, body, footer, group] = PARTS.map(find)
  if (known === undefined || components.some(({ type }) => !PARTS.includes(type.toUpperCase()))) return undefined
  const own = { ...EMPTY_DRAFT, name, language, category: known }
  if (known === 'AUTHENTICATION') return { ...own, otp: readOtp(body, footer, group?.buttons?.[0]) }
  const kind = header === undefined ? 'NONE' : HEADER_KINDS.find((one) => one === header.format?.toUpperCase())
  const buttons = (group?.buttons ?? []).map(readButton)
  const variables = listVariables(body?.text ?? '')
  const isNumbered = variables.every((variable) => /^\d+$/.test(variable))
  const isKnown = kind !== undefined && isNumbered && !/\{\{/.test(header?.text ?? '')
  if (!isKnown || !buttons.every((button) => button !== undefined)) return undefined
  const [values = []] = (body?.example?.body_text ?? []) as string[][]
  return {
    ...own,
    // The picture of the review is not a file that can be handed in again.
    header: { kind, text: header?.text ?? '', file: undefined },
    body: body?.text ?? '',
    samples: Object.fromEntries(variables.map((variable, position) => [variable, values[position] ?? ''])),
    footer: footer?.text ?? '',
    buttons,
  }
}

function readButton({ type, text = '', url, phone_number }: TemplateButton): DraftButton | undefined {
  const kind = BUTTON_KINDS.find((one) => one === type.toUpperCase())
  return kind && { kind, text, value: url ?? phone_number ?? '' }
}

function readOtp(
  body: TemplateComponent | undefined,
  footer: TemplateComponent | undefined,
  button: TemplateButton | undefined,
): Draft['otp'] {
  const [app] = button?.supported_apps ?? []
  return {
    ...EMPTY_DRAFT.otp,
    hasWarning: body?.add_security_recommendation === true,
    minutes: footer?.code_expiration_minutes === undefined ? '' : String(footer.code_expiration_minutes),
    kind: OTP_KINDS.find((one) => one === button?.otp_type?.toUpperCase()) ?? 'COPY_CODE',
    packageName: app?.package_name ?? '',
    signatureHash: app?.signature_hash ?? '',
  }
}
