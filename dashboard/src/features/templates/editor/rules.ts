import { BUTTONS_MAX, type Draft, FILE_TYPES, LENGTHS, listVariables, MINUTES_MAX } from './draft.ts'

export const RULES = [
  'name',
  'body',
  'edges',
  'numbered',
  'samples',
  'words',
  'header',
  'footer',
  'buttons',
  'together',
  'minutes',
  'app',
  'terms',
] as const
export type Rule = (typeof RULES)[number]

/** Checks a draft against Meta's rules. The review decides more than these. */
export function checkDraft(draft: Draft): Partial<Record<Rule, boolean>> {
  const { name, header, body, samples, footer, buttons } = draft
  const isNameWhole = /^[a-z0-9_]{1,512}$/.test(name)
  if (draft.category === 'AUTHENTICATION') return { name: isNameWhole, ...checkOtp(draft.otp) }
  const variables = listVariables(body)
  const words = body.replace(/\{\{[^}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? []
  return {
    name: isNameWhole,
    body: body.trim() !== '' && body.length <= LENGTHS.body,
    edges: !/^\s*\{\{/.test(body) && !/\}\}\s*$/.test(body) && !/\}\}\s*\{\{/.test(body),
    numbered: variables.every((variable, position) => variable === String(position + 1)) && !hasStrayBraces(body),
    samples: variables.every((variable) => (samples[variable] ?? '').trim() !== ''),
    words: words.length >= variables.length,
    header: isHeaderWhole(header),
    footer: footer.length <= LENGTHS.footer && !footer.includes('{{'),
    buttons: buttons.length <= BUTTONS_MAX && buttons.every(isButtonWhole),
    together: areTogether(buttons.map(({ kind }) => kind === 'QUICK_REPLY')),
  }
}

function checkOtp({ minutes, kind, packageName, signatureHash, acceptsTerms }: Draft['otp']) {
  const isApp = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(packageName) && /^[A-Za-z0-9+/=]{11}$/.test(signatureHash)
  return {
    minutes: minutes === '' || (Number(minutes) >= 1 && Number(minutes) <= MINUTES_MAX),
    ...(kind !== 'COPY_CODE' && { app: isApp }),
    ...(kind === 'ZERO_TAP' && { terms: acceptsTerms }),
  }
}

function hasStrayBraces(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(/\{\{\s*[^{}\s]+\s*\}\}/g, ''))
}

function isHeaderWhole({ kind, text, file }: Draft['header']): boolean {
  if (kind === 'NONE') return true
  if (kind !== 'TEXT') return FILE_TYPES[kind].some((type) => type === file?.type)
  return text.trim() !== '' && text.length <= LENGTHS.header && !/\n|\{\{/.test(text)
}

function isButtonWhole({ kind, text, value }: Draft['buttons'][number]): boolean {
  const isTextWhole = text.trim() !== '' && text.length <= LENGTHS.button
  if (kind === 'URL') return isTextWhole && /^https?:\/\/\S+$/.test(value) && value.length <= LENGTHS.url
  if (kind === 'PHONE_NUMBER') return isTextWhole && /^\+?\d{5,19}$/.test(value)
  return isTextWhole
}

/** Quick replies stand side by side: they begin once and end once. */
function areTogether(flags: readonly boolean[]): boolean {
  return flags.filter((flag, position) => flag && !flags[position - 1]).length <= 1
}
