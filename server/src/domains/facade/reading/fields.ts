import { AppError, invalidPart, toIssue } from '../../../kernel/errors.ts'

const ACCOUNT_SCALARS = ['id', 'name', 'currency', 'timezone_id', 'account_review_status']
const COST_REPORT = 'pricing_analytics'

/** PHONE is left out: it would show the account's other numbers. */
const DIMENSIONS = ['COUNTRY', 'PRICING_CATEGORY', 'PRICING_TYPE', 'TIER']
const METRICS = ['COST', 'VOLUME']

/** Checks the argument of each modifier and formats it for the upstream; undefined means an invalid argument. */
const MODIFIERS: Record<string, (argument: string) => string | undefined> = {
  start: (argument) => /^\d{1,12}$/.exec(argument)?.[0],
  end: (argument) => /^\d{1,12}$/.exec(argument)?.[0],
  granularity: (argument) => /^[A-Z_]{1,40}$/.exec(argument)?.[0],
  dimensions: (argument) => formatList(argument, DIMENSIONS),
  metric_types: (argument) => formatList(argument, METRICS),
}

/** One entry of a `fields` list: `name.modifier(argument){inner}`. */
type Field = { name: string; modifiers: { name: string; argument: string }[]; hasInner: boolean }

/** Reads a `fields` list of plain names; undefined if it is empty. */
export function parsePlainFields(text: string | undefined, known: readonly string[]): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (/[.(){}[\]]/.test(text)) throw new AppError('INVALID_FIELD_MODIFIER', 'fields_not_plain')
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names.join(',')
  const parameters = { name: JSON.stringify(unknown), names: known.join(', ') }
  throw invalidPart('query', [toIssue('/fields', 'unknown_field', parameters)], 'fields')
}

/**
 * Reads a `fields` list as `/graph` does: an entry that is not a known plain name is left out of the response. If none is
 * left, the response has the id, or what objects without one have instead.
 */
export function pickPlainFields(
  text: string | undefined,
  known: readonly string[],
  fallback: string | undefined = 'id',
): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const names = splitFields(text).filter((name) => known.includes(name))
  return names.length === 0 ? fallback : [...new Set(names)].join(',')
}

/** The same for the account. The cost report is read as strictly as elsewhere: another report than asked for would mislead. */
export function pickAccountFields(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return ACCOUNT_SCALARS.join(',')
  const isReport = (entry: string) => /^pricing_analytics(?!\w)/.test(entry)
  const entries = splitFields(text).filter((entry) => ACCOUNT_SCALARS.includes(entry) || isReport(entry))
  return entries.length === 0 ? 'id' : parseAccountFields([...new Set(entries)].join(','))
}

/** Splits a list at the commas outside of brackets. Brackets that do not match end with the list. */
function splitFields(text: string): string[] {
  const entries = ['']
  let depth = 0
  for (const character of text) {
    if ('({['.includes(character)) depth++
    if (')}]'.includes(character)) depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) entries.push('')
    else entries[entries.length - 1] += character
  }
  return entries.map((entry) => entry.trim())
}

/** Reads the `fields` list of the account: five plain names, and the cost report with its modifiers. */
export function parseAccountFields(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return ACCOUNT_SCALARS.join(',')
  return parseFields(text).map(formatAccountField).join(',')
}

function formatAccountField({ name, modifiers, hasInner }: Field): string {
  const isPlain = modifiers.length === 0 && !hasInner
  if (isPlain && ACCOUNT_SCALARS.includes(name)) return name
  if (name !== COST_REPORT || hasInner) {
    const known = [...ACCOUNT_SCALARS, COST_REPORT].join(', ')
    throw new AppError('INVALID_FIELD_MODIFIER', 'fields_of_account', { parameters: { names: known } })
  }
  const names = modifiers.map((modifier) => modifier.name)
  if (new Set(names).size < names.length) throw new AppError('INVALID_FIELD_MODIFIER', 'modifier_repeated')
  return [name, ...modifiers.map(formatModifier)].join('.')
}

function formatModifier({ name, argument }: Field['modifiers'][number]): string {
  const read = Object.hasOwn(MODIFIERS, name) ? MODIFIERS[name] : undefined
  if (!read) {
    const parameters = { names: Object.keys(MODIFIERS).join(', ') }
    throw new AppError('INVALID_FIELD_MODIFIER', 'modifier_unknown', { parameters })
  }
  const value = read(argument.trim())
  if (value === undefined)
    throw new AppError('INVALID_FIELD_MODIFIER', 'modifier_value_invalid', { parameters: { name } })
  return `${name}(${value})`
}

/** Accepts `A,B`, `[A,B]` and `["A","B"]`, and returns the first form. */
function formatList(argument: string, known: string[]): string | undefined {
  const inner = /^\[([^[\]]*)\]$/.exec(argument)?.[1] ?? argument
  if (inner.trim() === '') return '[]'
  const items = inner.split(',').map((item) => /^("?)(\w+)\1$/.exec(item.trim())?.[2] ?? '')
  return items.every((item) => known.includes(item)) ? items.join(',') : undefined
}

/** Parses Graph field expressions: modifiers chain, parentheses and braces nest, and quotes escape both. */
export function parseFields(text: string): Field[] {
  let at = 0
  const fail = () => new AppError('INVALID_FIELD_MODIFIER', 'fields_malformed')

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  /** Takes the text between a bracket and the matching closing bracket. */
  function takeEnclosed(open: string, close: string): string | undefined {
    if (text[at] !== open) return undefined
    const start = at + 1
    let depth = 0
    do {
      if (at >= text.length) throw fail()
      if (text[at] === '"') take(/"(?:[^"\\]|\\.)*/y)
      if (text[at] === open) depth += 1
      if (text[at] === close) depth -= 1
      at += 1
    } while (depth > 0)
    return text.slice(start, at - 1)
  }

  function takeField(): Field {
    const name = take(/\s*\w+/y)?.trim()
    if (name === undefined) throw fail()
    const modifiers: Field['modifiers'] = []
    while (take(/\./y)) {
      const modifier = take(/\w+/y)
      const argument = takeEnclosed('(', ')')
      if (modifier === undefined || argument === undefined) throw fail()
      modifiers.push({ name: modifier, argument })
    }
    const hasInner = takeEnclosed('{', '}') !== undefined
    take(/\s*/y)
    return { name, modifiers, hasInner }
  }

  const fields = [takeField()]
  while (take(/,/y)) fields.push(takeField())
  if (at < text.length) throw fail()
  return fields
}
