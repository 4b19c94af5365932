import { basename } from 'node:path'
import { isTest, type Source } from './sources.ts'
import type { Token } from './tokens.ts'

const LINES_MAX = 400
const HOUSE = 'server/src/'
const MAY_HOLD_SQL = /(?:^|[/-])store\.ts$|^server\/src\/kernel\/db\//
const MAY_ASK_THE_PROCESS = /^server\/src\/bin\//

const SQL_TAGS = new Set(['sql', 'tx'])
const SQL_OPENING =
  /^`\s*(?:select|insert|update|delete|with|create|alter|drop|truncate|lock|grant|listen|notify|begin|commit)\b/i
const NO_TAGS = new Set('await case default delete else in of return throw typeof void yield'.split(' '))
const TYPE_ARGUMENTS_LENGTH_MAX = 300

const PROCESS_MEMBERS = new Set(['env', 'argv', 'exit', 'exitCode'])

/** The rules that a file keeps or breaks by itself, whatever it imports. */
export function sourceRules(source: Source): string[] {
  const inHouse = source.path.startsWith(HOUSE) && !isTest(source.path)
  return [
    ...shapeBreaches(source),
    ...extensionBreaches(source),
    ...defaultExportBreaches(source),
    ...(inHouse ? sqlBreaches(source) : []),
    ...(inHouse ? processBreaches(source) : []),
  ]
}

function shapeBreaches({ path, lineCount }: Source): string[] {
  return [
    ...(/^index\.[cm]?[jt]sx?$/.test(basename(path)) ? [`${path} is a barrel: import from the file that has it.`] : []),
    ...(lineCount > LINES_MAX && !path.endsWith('.gen.ts')
      ? [`${path} has ${lineCount} lines, more than ${LINES_MAX}: split it by concern.`]
      : []),
  ]
}

function extensionBreaches({ path, imports }: Source): string[] {
  const allowed = allowedExtensions(path)
  return imports
    .filter(({ specifier }) => specifier.startsWith('.') && !allowed.test(specifier))
    .map(
      ({ specifier, line }) =>
        `${path}:${line} imports ${specifier}, but a relative import ends in ${path.endsWith('.js') ? '.js' : '.ts'}.`,
    )
}

function allowedExtensions(path: string): RegExp {
  // The dashboard is bundled, and a bundler also takes components, styles and pictures.
  if (path.startsWith('dashboard/')) return /\.(?:tsx?|css|svg|png|json)$/
  // A script for the browser is served as it is.
  return path.endsWith('.js') ? /\.js$/ : /\.ts$/
}

function defaultExportBreaches({ path, tokens }: Source): string[] {
  // A bundler or a test runner reads the default export of its configuration.
  if (path.endsWith('.config.ts')) return []
  return tokens
    .filter((_token, index) => isDefaultExport(tokens, index))
    .map(({ line }) => `${path}:${line} has a default export: everything is exported by its name.`)
}

function isDefaultExport(tokens: Token[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (token?.kind !== 'word' || token.text !== 'export' || before?.text === '.') return false
  if (next?.text === 'default') return true
  if (next?.text !== '{') return false

  const names = tokens.slice(index + 2, tokens.findIndex((other, at) => at > index && other.text === '}') + 1)
  return names.some((name, at) => name.text === 'default' && [',', '}'].includes(names[at + 1]?.text ?? ''))
}

function sqlBreaches({ path, tokens }: Source): string[] {
  if (MAY_HOLD_SQL.test(path)) return []
  return tokens
    .filter((_token, index) => isSql(tokens, index))
    .map((token) => `${path}:${token.line} holds SQL, which belongs into a store.ts.`)
}

function isSql(tokens: Token[], index: number): boolean {
  const tag = tokens[index]
  if (tag?.kind !== 'word' || NO_TAGS.has(tag.text)) return false
  if (tag.text === 'unsafe') return tokens[index - 1]?.text === '.' && tokens[index + 1]?.text === '('

  const literal = tokens[afterTypeArguments(tokens, index + 1)]
  return literal?.kind === 'template' && (SQL_TAGS.has(tag.text) || SQL_OPENING.test(literal.text))
}

/** The index of the token after `<…>`, or `start` itself where there are no type arguments. */
function afterTypeArguments(tokens: Token[], start: number): number {
  if (tokens[start]?.text !== '<') return start
  let depth = 0
  for (let index = start; index < Math.min(tokens.length, start + TYPE_ARGUMENTS_LENGTH_MAX); index++) {
    if (tokens[index]?.text === '<') depth++
    if (tokens[index]?.text === '>') depth--
    if (depth === 0) return index + 1
  }
  return start
}

function processBreaches({ path, tokens }: Source): string[] {
  if (MAY_ASK_THE_PROCESS.test(path)) return []
  return tokens.flatMap((token, index) => {
    const member = token.text === 'process' && token.kind === 'word' ? processMember(tokens, index) : undefined
    const imported = token.text === 'from' ? importedProcessMember(tokens, index) : undefined
    const found = member ?? imported
    return found ? [`${path}:${token.line} uses process.${found}, which only bin/ may: take it as an argument.`] : []
  })
}

function processMember(tokens: Token[], index: number): string | undefined {
  const [next, name] = [tokens[index + 1], tokens[index + 2]]
  const isAccess = next !== undefined && ['.', '?.', '['].includes(next.text)
  if (isAccess) return PROCESS_MEMBERS.has(name?.value ?? name?.text ?? '') ? (name?.value ?? name?.text) : undefined

  // `const { env } = process` takes the member out without a dot.
  if (tokens[index - 1]?.text !== '=' || tokens[index - 2]?.text !== '}') return undefined
  return namesBefore(tokens, index - 2, '{').find((word) => PROCESS_MEMBERS.has(word))
}

function importedProcessMember(tokens: Token[], index: number): string | undefined {
  if (!['process', 'node:process'].includes(tokens[index + 1]?.value ?? '')) return undefined
  return namesBefore(tokens, index, 'import').find((word) => PROCESS_MEMBERS.has(word))
}

function namesBefore(tokens: Token[], end: number, opening: string): string[] {
  const start = tokens.findLastIndex((token, index) => index < end && token.text === opening)
  return tokens.slice(start, end).map((token) => token.text)
}
