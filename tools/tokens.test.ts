import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findImports } from './sources.ts'
import { tokenize } from './tokens.ts'

const specifiers = (source: string) => findImports(tokenize(source)).map(({ specifier }) => specifier)

test('every form of import is found, with the line it stands on', () => {
  const source = [
    "import 'a'",
    "import b from 'b'",
    "import type { C } from 'c'",
    'import * as d from "d"',
    "export { e } from 'e'",
    "export * from 'f'",
    "const g = await import('g')",
    "type H = import('h').H",
    'const i = import(`i`)',
    'import {',
    '  j,',
    "} from 'j'",
  ].join('\n')

  const found = findImports(tokenize(source))

  assert.deepEqual(
    found.map(({ specifier, line }) => `${specifier}${line}`),
    ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8', 'i9', 'j12'],
  )
})

test('an import inside a comment, a string or a template is no import', () => {
  const source = `
    // import 'a'
    /* import 'b' */
    const c = "import 'c'"
    const d = \`import 'd'\`
    const e = Array.from('e') + loader.import('e')
    const f = /import 'f'/
  `

  assert.deepEqual(specifiers(source), [])
})

test('an import inside a substitution is an import, however deep', () => {
  const source = `const a = \`x \${ { b: \`y \${await import('c')} }\` } } z\`\nimport 'd'`

  assert.deepEqual(specifiers(source), ['c', 'd'])
})

test('a brace after a template closes its block and resumes nothing', () => {
  assert.deepEqual(specifiers(`function a(b) { return \`c\${b}d\` }\nimport 'e'`), ['e'])
})

test('a slash after a value divides, so what follows it is still code', () => {
  assert.deepEqual(specifiers("const a = b / c\nimport 'd' // e / f\nconst g = (h) / 2\nimport 'i'"), ['d', 'i'])
})

test('quotes and slashes inside a regular expression open nothing', () => {
  assert.deepEqual(specifiers("const a = /['\"`/*]/g\nimport 'b'\nreturn /\\/'/\nimport 'c'"), ['b', 'c'])
})

test('an apostrophe in markup costs no more than its line', () => {
  assert.deepEqual(specifiers("const a = <p>Don't</p>\nimport 'b'"), ['b'])
})

test('escapes in a string are resolved', () => {
  const [token] = tokenize(String.raw`'it\'s \x41\u0042\u{43}\n\\'`)

  assert.equal(token?.value, "it's ABC\n\\")
})

test('a first line for the shell is not code', () => {
  assert.deepEqual(specifiers("#!/usr/bin/env node'\nimport 'a'"), ['a'])
})
