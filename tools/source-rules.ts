import { basename } from 'node:path'
import { type Expression, type Node, Visitor } from 'oxc-parser'
import { findLine, isTest, type Source } from './sources.ts'

const SERVER = 'server/src/'
const MAY_HOLD_SQL = /(?:^|[/-])store\.ts$|^server\/src\/kernel\/db\//
const MAY_READ_THE_PROCESS = /^server\/src\/bin\//

const SQL_TAGS = new Set(['sql', 'tx'])
const SQL_OPENING =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|truncate|lock|grant|listen|notify|begin|commit)\b/i

const PROCESS_MEMBERS = new Set(['env', 'argv', 'exit', 'exitCode'])

/** The rules that a file keeps or breaks by itself, apart from its imports. */
export function checkSource(source: Source): string[] {
  const inServer = source.path.startsWith(SERVER) && !isTest(source.path)
  return [
    ...checkBarrel(source),
    ...checkExtensions(source),
    ...checkDefaultExports(source),
    ...(inServer ? checkSql(source) : []),
    ...(inServer ? checkProcess(source) : []),
  ]
}

export function checkSourceStyle(source: Source): string[] {
  return [
    ...checkFragments(source),
    ...checkSentences(source),
    ...checkSpreadLiterals(source),
    ...(isTest(source.path) ? [] : checkExportedNames(source)),
  ]
}

function checkBarrel({ path }: Source): string[] {
  return /^index\.[cm]?[jt]sx?$/.test(basename(path)) ? [`${path} is a barrel: import from the file that has it.`] : []
}

function checkExtensions({ path, imports }: Source): string[] {
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

function checkDefaultExports(source: Source): string[] {
  // A bundler or a test runner reads the default export of its configuration or reporter.
  if (source.path.endsWith('.config.ts') || source.path === 'tools/test-reporter.ts') return []
  const message = 'has a default export: everything is exported by its name.'
  const found: string[] = []
  const report = (node: Node) => found.push(locate(source, node, message))
  new Visitor({
    ExportDefaultDeclaration: report,
    ExportSpecifier(node) {
      const { exported } = node
      if ((exported.type === 'Identifier' ? exported.name : exported.value) === 'default') report(node)
    },
  }).visit(source.program)
  return found
}

/** Comments and descriptions of the API are sentences. One that begins with such a word has no main verb, or hides it. */
const FRAGMENT =
  /(?:\/\*\*(?:\s+\*)?|(?<!\n *\/\/.*)\n *\/\/|description:|summary:)\s+['`]?(What|Whether|Of|Those|That of|Where|Who|Whose|Which|How|Why)\b/g

function checkFragments({ path, text }: Source): string[] {
  // The tests of the tools have fragments as examples.
  if (path.includes('.gen.') || (path.startsWith('tools/') && isTest(path))) return []
  return [...text.matchAll(FRAGMENT)].map((match) => {
    const line = findLine(text, match.index + match[0].length)
    return `${path}:${line} begins a comment or description with ${match[1]}: write a sentence that names its subject.`
  })
}

const CLIENTS = /^(?:dashboard|sdk|cli)\/src\//
const COMPARED =
  /(?<!typeof )\b(?:error|err|problem|issue|check)\??\.message\b\??(?:\.(?:includes|startsWith|endsWith|match|search|indexOf)\(| [!=]==)/g

/** A client knows an error by its code and reason. The sentence is in the language of the hub, and may change. */
function checkSentences({ path, text }: Source): string[] {
  if (!CLIENTS.test(path) || isTest(path)) return []
  return [...text.matchAll(COMPARED)].map(
    ({ index }) => `${path}:${findLine(text, index)} compares the sentence of an error: compare its code or reason.`,
  )
}

/** `{ ...{ a, b } }` is `{ a, b }`, written so that the formatter keeps it on one line. */
function checkSpreadLiterals(source: Source): string[] {
  const found: string[] = []
  new Visitor({
    ObjectExpression({ properties }) {
      for (const property of properties) {
        if (property.type !== 'SpreadElement' || property.argument.type !== 'ObjectExpression') continue
        found.push(locate(source, property, 'spreads a literal into a literal: write its members.'))
      }
    },
  }).visit(source.program)
  return found
}

/**
 * `answerOf` hides the verb. A reader searches for `toAnswer`, `parseAnswer` or `findAnswer`. A builder of schemas is
 * named like the keyword of JSON Schema that it writes (`oneOf`).
 */
function checkExportedNames(source: Source): string[] {
  if (basename(source.path) === 'schemas.ts') return []
  return findExportedFunctions(source)
    .filter(({ name }) => /[a-z]Of$/.test(name))
    .map(({ name, node }) => locate(source, node, `exports ${name}: a function is called verb + object.`))
}

/** Functions that a file exports under their own names. */
export function findExportedFunctions({ program }: Source): { name: string; node: Node }[] {
  const found: { name: string; node: Node }[] = []
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type === 'FunctionDeclaration' && declaration.id) {
        found.push({ name: declaration.id.name, node: declaration })
      }
      if (declaration?.type !== 'VariableDeclaration') return
      for (const { id, init } of declaration.declarations) {
        if (id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression')
          found.push({ name: id.name, node: declaration })
      }
    },
  }).visit(program)
  return found
}

function checkSql(source: Source): string[] {
  if (MAY_HOLD_SQL.test(source.path)) return []
  const found: string[] = []
  const report = (node: Node) => found.push(locate(source, node, 'holds SQL, which belongs into a store.ts.'))
  new Visitor({
    TaggedTemplateExpression(node) {
      const opening = node.quasi.quasis[0]?.value.raw ?? ''
      if (SQL_TAGS.has(lastName(node.tag) ?? '') || SQL_OPENING.test(opening)) report(node)
    },
    CallExpression(node) {
      if (node.callee.type === 'MemberExpression' && lastName(node.callee) === 'unsafe') report(node)
    },
  }).visit(source.program)
  return found
}

function checkProcess(source: Source): string[] {
  if (MAY_READ_THE_PROCESS.test(source.path)) return []
  const found: string[] = []
  function report(node: Node, member: string | undefined): void {
    if (member === undefined || !PROCESS_MEMBERS.has(member)) return
    found.push(locate(source, node, `uses process.${member}, which only bin/ may: take it as an argument.`))
  }
  new Visitor({
    MemberExpression(node) {
      if (node.object.type !== 'Identifier' || node.object.name !== 'process') return
      report(node, node.property.type === 'Literal' ? String(node.property.value) : lastName(node))
    },
    VariableDeclarator({ id, init }) {
      if (init?.type !== 'Identifier' || init.name !== 'process' || id.type !== 'ObjectPattern') return
      for (const property of id.properties)
        if (property.type === 'Property' && property.key.type === 'Identifier') report(property, property.key.name)
    },
    ImportDeclaration({ source: from, specifiers }) {
      if (!['process', 'node:process'].includes(from.value)) return
      for (const name of specifiers)
        if (name.type === 'ImportSpecifier' && name.imported.type === 'Identifier') report(name, name.imported.name)
    },
  }).visit(source.program)
  return found
}

/** The name that an expression ends in: `sql` of `sql`, `this.sql` and `sql<Row[]>`. */
function lastName(expression: Expression): string | undefined {
  if (expression.type === 'Identifier') return expression.name
  if (expression.type !== 'MemberExpression') return undefined
  return expression.property.type === 'Identifier' ? expression.property.name : undefined
}

function locate({ path, text }: Source, { start }: { start: number }, message: string): string {
  return `${path}:${findLine(text, start)} ${message}`
}
