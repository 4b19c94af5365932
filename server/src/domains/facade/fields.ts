import { AppError, invalidRequest } from '../../kernel/errors.ts'

const ACCOUNT_SCALARS = ['id', 'name', 'currency', 'timezone_id', 'account_review_status']
const COST_REPORT = 'pricing_analytics'

/** Not among them: PHONE, which would show the other numbers of the account. */
const DIMENSIONS = ['COUNTRY', 'PRICING_CATEGORY', 'PRICING_TYPE', 'TIER']
const METRICS = ['COST', 'VOLUME']

/** What a modifier takes, and how it is written to the upstream. Undefined: it does not take this. */
const MODIFIERS: Record<string, (argument: string) => string | undefined> = {
  start: (argument) => /^\d{1,12}$/.exec(argument)?.[0],
  end: (argument) => /^\d{1,12}$/.exec(argument)?.[0],
  granularity: (argument) => /^[A-Z_]{1,40}$/.exec(argument)?.[0],
  dimensions: (argument) => listIn(argument, DIMENSIONS),
  metric_types: (argument) => listIn(argument, METRICS),
}

/** One entry of a `fields` list: `name.modifier(argument){inner}`. */
export type Field = { name: string; modifiers: { name: string; argument: string }[]; hasInner: boolean }

/** `fields` where only plain names have a meaning; undefined when none are asked for. */
export function plainFields(text: string | undefined, known: readonly string[]): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (/[.(){}[\]]/.test(text)) throw invalidModifier('Only plain names are taken in `fields` here.')
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names.join(',')
  const message = `names ${JSON.stringify(unknown)}, which is none of ${known.join(', ')}`
  throw invalidRequest(`The query is invalid: fields ${message}.`, [{ path: '/fields', message }])
}

/** `fields` of the own account: five plain names, and the cost report with its modifiers. */
export function accountFields(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return ACCOUNT_SCALARS.join(',')
  return parseFields(text).map(accountField).join(',')
}

function accountField({ name, modifiers, hasInner }: Field): string {
  const isPlain = modifiers.length === 0 && !hasInner
  if (isPlain && ACCOUNT_SCALARS.includes(name)) return name
  if (name !== COST_REPORT || hasInner) {
    const known = [...ACCOUNT_SCALARS, COST_REPORT].join(', ')
    throw invalidModifier(`\`fields\` of an account takes ${known}, and modifiers on the last alone.`)
  }
  const names = modifiers.map((modifier) => modifier.name)
  if (new Set(names).size < names.length) throw invalidModifier('A modifier is there more than once.')
  return [name, ...modifiers.map(written)].join('.')
}

function written({ name, argument }: Field['modifiers'][number]): string {
  const read = Object.hasOwn(MODIFIERS, name) ? MODIFIERS[name] : undefined
  if (!read) throw invalidModifier(`The modifiers are ${Object.keys(MODIFIERS).join(', ')}.`)
  const value = read(argument.trim())
  if (value === undefined) throw invalidModifier(`The modifier ${name} does not take this value.`)
  return `${name}(${value})`
}

/** A list in any of its spellings, `A,B`, `[A,B]` or `["A","B"]`, is written in the first. */
function listIn(argument: string, known: string[]): string | undefined {
  const inner = /^\[([^[\]]*)\]$/.exec(argument)?.[1] ?? argument
  if (inner.trim() === '') return '[]'
  const words = inner.split(',').map((item) => /^("?)(\w+)\1$/.exec(item.trim())?.[2] ?? '')
  return words.every((word) => known.includes(word)) ? words.join(',') : undefined
}

/** Reads the upstream's field expressions: modifiers chain, parentheses and braces nest, quotes hide both. */
export function parseFields(text: string): Field[] {
  let at = 0
  const fail = () => invalidModifier('`fields` cannot be read.')

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  /** What stands between a bracket and the one that closes it. */
  function enclosed(open: string, close: string): string | undefined {
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

  function field(): Field {
    const name = take(/\s*\w+/y)?.trim()
    if (name === undefined) throw fail()
    const modifiers: Field['modifiers'] = []
    while (take(/\./y)) {
      const modifier = take(/\w+/y)
      const argument = enclosed('(', ')')
      if (modifier === undefined || argument === undefined) throw fail()
      modifiers.push({ name: modifier, argument })
    }
    const hasInner = enclosed('{', '}') !== undefined
    take(/\s*/y)
    return { name, modifiers, hasInner }
  }

  const fields = [field()]
  while (take(/,/y)) fields.push(field())
  if (at < text.length) throw fail()
  return fields
}

function invalidModifier(message: string): AppError {
  return new AppError('INVALID_FIELD_MODIFIER', message)
}
