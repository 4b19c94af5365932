import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkArchitecture, checkStyle } from './architecture.ts'
import { writeRepository } from './test/repository.ts'

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkArchitecture(writeRepository(t, files))
}

test('the repository keeps the rules of its architecture', () => {
  assert.deepEqual(checkArchitecture(join(import.meta.dirname, '..')), [])
})

test('a tree that keeps every rule is clean', (t) => {
  const found = check(t, {
    'server/src/bin/main.ts':
      "import { app } from '../app/http.ts'\napp(process.env, process.argv)\nprocess.exitCode = 1",
    'server/src/app/http.ts': "import '../domains/channels/routes.ts'\nimport { simulator } from '@hubline/simulator'",
    'server/src/domains/channels/routes.ts': "import './schemas.ts'\nimport type { Channels } from './service.ts'",
    'server/src/domains/channels/schemas.ts': "import { Type } from 'typebox'",
    'server/src/domains/channels/jobs.ts': "import * as store from './store.ts'\nimport './service.ts'",
    'server/src/domains/channels/service.ts':
      "import * as store from './store.ts'\nimport { publish } from '../webhooks/service.ts'\nimport './status.ts'",
    'server/src/domains/channels/store.ts': "import { ids } from '../../kernel/ids.ts'\nexport const a = sql`select 1`",
    'server/src/domains/channels/status.ts': "import type { Channel } from './schemas.ts'",
    'server/src/domains/channels/routes.test.ts': "import './store.ts'\nimport '@hubline/simulator'\nsql`select 1`",
    'server/src/domains/webhooks/service.ts': "import './deliveries/service.ts'",
    'server/src/domains/webhooks/log/service.ts': "import '../endpoints/endpoint-store.ts'",
    'server/src/domains/webhooks/endpoints/endpoint-store.ts': 'export const b = tx<{ id: string }[]>`select 1`',
    'server/src/kernel/db/pool.ts': 'export const c = (sql) => sql`select 1`',
    'server/src/kernel/ids.ts':
      "// import '../app/http.ts', sql`select 1` and process.env are words in a comment\nexport {}",
    'server/test/hub.ts': "import '../src/domains/channels/store.ts'\nprocess.exit(sql`select 1`)",
    'server/src/kernel/db/pool.test.ts': "import './test/scene.ts'\nprocess.exitCode = 1",
    'server/src/kernel/db/test/scene.ts': "import '../../../app/http.ts'\nprocess.argv",
    'simulator/src/server.ts': "import './numbers.ts'",
    'cli/src/main.ts': "import { Hub } from '@hubline/sdk'",
    'sdk/src/client.ts': "import { Requester } from './request.ts'",
    'sdk/src/client.test.ts': "import { startHub } from '../../server/test/hub.ts'\nimport 'node:test'",
    'dashboard/src/app.tsx':
      "import { Hub } from '@hubline/sdk'\nimport './app.css'\nimport { Page } from './page.tsx'",
    'dashboard/vite.config.ts': 'export default {}',
    'dashboard/src/texts.ts': "import type { Language } from '@hubline/locales/languages.ts'",
    'server/src/kernel/language.ts': "import { LANGUAGES } from '@hubline/locales/languages.ts'",
    'locales/mails/es.ts': "import type { en } from './en.ts'",
    'bench/send.ts':
      "import '../server/src/app/hub.ts'\nimport '../server/test/certificates.ts'\nimport '@hubline/simulator'",
    'cli/build.ts': "import { compile } from '../tools/packages/compile.ts'",
    'tools/generate.ts': "import '../server/src/app/openapi.ts'",
  })

  assert.deepEqual(found, [])
})

const STATIC = "import { a } from '{}'"
const DIRECTIONS: [string, string, string, RegExp][] = [
  ['kernel/ids.ts', '../app/http.ts', STATIC, /imports only go down, and app lies above kernel/],
  ['kernel/ids.ts', '../upstream/client.ts', STATIC, /upstream lies above kernel/],
  ['app/http.ts', '../bin/main.ts', STATIC, /bin lies above app/],
  [
    'domains/auth/service.ts',
    '../channels/service.ts',
    "import type { A } from '{}'",
    /channels lies above domains\/auth/,
  ],
  ['domains/auth/service.ts', '../channels/service.ts', "export { a } from '{}'", /channels lies above domains\/auth/],
  ['domains/auth/service.ts', '../channels/service.ts', "await import('{}')", /channels lies above domains\/auth/],
  ['domains/auth/service.ts', '../channels/service.ts', "type A = import('{}').A", /channels lies above domains\/auth/],
  ['domains/webhooks/log/service.ts', '../../channels/service.ts', STATIC, /channels lies above/],
  ['domains/billing/service.ts', '../api-keys/service.ts', STATIC, /are in one layer and do not import each other/],
  ['upstream/client.ts', '../payments/client.ts', STATIC, /are in one layer/],
  ['domains/channels/service.ts', '../../../test/hub.ts', STATIC, /imports nothing outside server\/src/],
  ['kernel/ids.ts', './test/scene.ts', STATIC, /what serves tests is for tests alone/],
  ['kernel/ids.ts', './ids.test.ts', STATIC, /what serves tests is for tests alone/],
]

for (const [file, specifier, form, expected] of DIRECTIONS) {
  const line = form.replace('{}', specifier)
  test(`${file} must not say ${line}`, (t) => {
    const found = check(t, { [`server/src/${file}`]: line })

    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', expected)
    assert.ok(found[0]?.startsWith(`server/src/${file}:1 imports ${specifier}, but `))
  })
}

test('a module that is in no layer is refused, with the place where to add it', (t) => {
  const found = check(t, { 'server/src/domains/gadgets/a.ts': '', 'server/src/domains/gadgets/b.ts': '' })

  assert.deepEqual(found, ['server/src/domains/gadgets is in no layer: add it to LAYERS in tools/architecture.ts.'])
})

test('a file outside every module is refused', (t) => {
  assert.match(check(t, { 'server/src/main.ts': '' }).join(), /server\/src\/main\.ts is in no layer/)
})

const KINDS: [string, string, RegExp][] = [
  ['channels/routes.ts', './store.ts', /routes never imports store/],
  ['channels/link-routes.ts', './link-store.ts', /routes never imports store/],
  ['channels/store.ts', './service.ts', /store never imports service/],
  ['channels/schemas.ts', './store.ts', /schemas never imports store/],
  ['channels/status.ts', './service.ts', /only routes, services and jobs import a service at run time/],
  ['channels/status.ts', './deletion/store.ts', /a store of another folder is reached through its service/],
  ['channels/status.ts', './routes.ts', /only app\/ imports routes/],
  ['channels/service.ts', './routes.ts', /only app\/ imports routes/],
  ['channels/service.ts', '../auth/store.ts', /a store is private to its domain, domains\/auth/],
  ['channels/service.ts', '../auth/session-store.ts', /a store is private to its domain/],
  ['webhooks/engine/status.ts', '../endpoints/store.ts', /a store of another folder is reached through its service/],
]

for (const [file, specifier, expected] of KINDS) {
  test(`domains/${file} must not import ${specifier}`, (t) => {
    const found = check(t, { [`server/src/domains/${file}`]: `import { a } from '${specifier}'` })

    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', expected)
  })
}

test('types come from anywhere in the domain, and a part of a service from the store of its folder', (t) => {
  const found = check(t, {
    'server/src/domains/channels/schemas.ts': "import type { Row } from './store.ts'",
    'server/src/domains/channels/status.ts':
      "import { type Channels } from './service.ts'\nimport * as store from './store.ts'",
    'server/src/domains/channels/deletion/steps.ts': "import * as store from '../store.ts'",
  })

  assert.deepEqual(found, [])
})

test('the application may import the routes of a domain, and never its store', (t) => {
  const found = check(t, {
    'server/src/app/http.ts': "import '../domains/auth/routes.ts'\nimport '../domains/auth/store.ts'",
  })

  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^server\/src\/app\/http\.ts:2 imports .* a store is private to its domain/)
})

for (const statement of [
  'const a = await sql`select 1`',
  'const a = await this.sql`delete from b`',
  'const a = await tx<{ id: string; run: (a: Map<string, number>) => void }[]>`select 1`',
  'const a = await reserved`\n  select 1`',
  "const a = await sql.unsafe('select 1')",
]) {
  test(`outside a store there is no ${JSON.stringify(statement)}`, (t) => {
    const found = check(t, { 'server/src/domains/channels/service.ts': statement })

    assert.deepEqual(found, ['server/src/domains/channels/service.ts:1 holds SQL, which belongs into a store.ts.'])
  })
}

test('a template that holds no SQL is allowed anywhere', (t) => {
  const text = `const a = (b) => b < 3 ? \`Update \${b}\` : String.raw\`.\`\nthrow new Error(\`select \${a}\`)`

  assert.deepEqual(check(t, { 'server/src/domains/channels/service.ts': text }), [])
})

for (const [statement, member] of [
  ['const a = process.env.PORT', 'env'],
  ["const a = process['argv']", 'argv'],
  ['process.exit(1)', 'exit'],
  ['process.exitCode = 1', 'exitCode'],
  ['const { pid, env } = process', 'env'],
  ["import { exit as leave } from 'node:process'", 'exit'],
]) {
  test(`outside bin/ no file says ${statement}`, (t) => {
    const found = check(t, { 'server/src/app/config.ts': `${statement}\n` })

    assert.deepEqual(found, [
      `server/src/app/config.ts:1 uses process.${member}, which only bin/ may: take it as an argument.`,
    ])
  })
}

test('other members of process are allowed anywhere', (t) => {
  assert.deepEqual(check(t, { 'server/src/kernel/memory.ts': 'const a = process.memoryUsage()' }), [])
})

const WORKSPACE_BREACHES: [string, string][] = [
  ['simulator/src/a.ts', '../../server/src/kernel/ids.ts'],
  ['simulator/src/a.test.ts', '../../server/src/kernel/ids.ts'],
  ['server/src/app/a.test.ts', '../../../simulator/src/server.ts'],
  ['server/test/hub.ts', '../../simulator/src/server.ts'],
  ['cli/src/a.ts', '../../sdk/src/hub.ts'],
  ['dashboard/src/a.ts', '../../sdk/src/hub.ts'],
  ['dashboard/src/app/a.ts', './test/b.ts'],
  ['sdk/src/a.ts', '../../tools/sources.ts'],
  ['simulator/src/a.ts', '@hubline/server'],
  ['server/src/kernel/a.ts', '@hubline/simulator'],
  ['server/src/kernel/a.ts', '@hubline/server/src/app/http.ts'],
  ['server/src/app/a.ts', '@hubline/sdk'],
  ['sdk/src/a.ts', '@hubline/cli'],
  ['sdk/src/a.ts', 'undici'],
  ['sdk/src/a.ts', 'node:crypto'],
  ['sdk/src/a.ts', '../../server/test/hub.ts'],
  ['sdk/test/a.test.ts', '../../server/src/app/hub.ts'],
  ['simulator/src/a.test.ts', '../../server/test/hub.ts'],
  ['cli/src/a.ts', '@hubline/sdk-internals'],
  ['cli/src/a.ts', '@hubline/locales/languages.ts'],
  ['locales/mails/en.ts', '../../server/src/kernel/ids.ts'],
  ['locales/mails/en.ts', 'i18next'],
  ['bench/a.ts', '../simulator/src/server.ts'],
  ['bench/a.ts', '@hubline/sdk'],
  ['server/test/hub.ts', '../../bench/bench-hub.ts'],
  ['server/src/kernel/a.ts', '#app/http.ts'],
  ['server/src/kernel/a.ts', '/srv/hubline/server/src/app/http.ts'],
]

for (const [file, specifier] of WORKSPACE_BREACHES) {
  test(`${file} must not import ${specifier}`, (t) => {
    const found = check(t, { [file]: `import { a } from '${specifier}'` })

    assert.equal(found.length, 1, found.join('\n'))
    assert.ok(found[0]?.startsWith(`${file}:1 imports ${specifier}, but `))
  })
}

for (const statement of [
  'export default function a() {}',
  'const a = 1\nexport { a as default }',
  "export { default } from 'a'",
]) {
  test(`a default export is refused: ${JSON.stringify(statement)}`, (t) => {
    assert.match(check(t, { 'cli/src/a.ts': statement }).join(), /^cli\/src\/a\.ts:\d has a default export/)
  })
}

test('taking a default export in by a name is no default export', (t) => {
  assert.deepEqual(check(t, { 'cli/src/a.ts': "import b from 'b'\nexport { default as c } from 'c'" }), [])
})

test('a barrel is refused', (t) => {
  assert.deepEqual(check(t, { 'sdk/src/index.ts': '' }), [
    'sdk/src/index.ts is a barrel: import from the file that has it.',
  ])
})

for (const specifier of ['./b', './b.js', '..', './b.json']) {
  test(`a relative import ends in .ts, so ${specifier} is refused`, (t) => {
    const found = check(t, { 'cli/src/a/a.ts': `import '${specifier}'` })

    assert.deepEqual(found, [`cli/src/a/a.ts:1 imports ${specifier}, but a relative import ends in .ts.`])
  })
}

test('a script that a browser loads imports scripts', (t) => {
  const found = check(t, { 'server/src/domains/channels/page/a.js': "import './b.js'\nimport './c.ts'" })

  assert.deepEqual(found, [
    'server/src/domains/channels/page/a.js:2 imports ./c.ts, but a relative import ends in .js.',
  ])
})

/** Checks the names and imports of a repository that consists of the given files only. */
function checkNames(t: TestContext, files: Record<string, string>): string[] {
  return checkStyle(writeRepository(t, files))
}

test('a -service suffix is refused', (t) => {
  assert.match(
    checkNames(t, { 'server/src/domains/billing/checkout-service.ts': '' }).join(),
    /^server\/src\/domains\/billing\/checkout-service\.ts is named after a kind/,
  )
})

test('a cycle of imports is refused, types included', (t) => {
  const found = checkNames(t, {
    'sdk/src/a.ts': "import { b } from './b.ts'",
    'sdk/src/b.ts': "import type { C } from './c.ts'",
    'sdk/src/c.ts': "import { a } from './a.ts'\nimport { d } from './d.ts'",
    'sdk/src/d.ts': '',
  })

  assert.deepEqual(found, ['sdk/src/a.ts → sdk/src/b.ts → sdk/src/c.ts → sdk/src/a.ts is a cycle of imports.'])
})

test('a literal spread into a literal is refused, and any other spread is allowed', (t) => {
  const found = checkNames(t, {
    'sdk/src/a.ts': 'const a = { ...{ b, c }, d }',
    'sdk/src/b.ts': 'const a = { ...b, ...(c && { d }) }',
  })

  assert.deepEqual(found, ['sdk/src/a.ts:1 spreads a literal into a literal: write its members.'])
})

test('a comment or a description does not begin with the word of a fragment', (t) => {
  const found = checkNames(t, {
    'sdk/src/a.ts':
      '/** What a hub sends. */\nconst a = 1\n\n/**\n * Where it is.\n */\nconst b = 2\n  // Of these, two.\nconst c = 3',
    'sdk/src/b.ts': "const schema = { description: 'Whether it is on' }",
    'sdk/src/c.ts':
      '/** The hub, and\n * what it sends. */\nconst a = 1\n// The address is that\n// Where the hub listens.\nconst b = 2',
    'sdk/src/d.gen.ts': '/** What a hub sends. */',
  })

  assert.deepEqual(found, [
    'sdk/src/a.ts:1 begins a comment or description with What: write a sentence that names its subject.',
    'sdk/src/a.ts:5 begins a comment or description with Where: write a sentence that names its subject.',
    'sdk/src/a.ts:8 begins a comment or description with Of: write a sentence that names its subject.',
    'sdk/src/b.ts:1 begins a comment or description with Whether: write a sentence that names its subject.',
  ])
})

test('a client does not compare the sentence of an error', (t) => {
  const found = checkNames(t, {
    'sdk/src/a.ts': "export const isGone = (error: Error) => error.message.includes('no longer')",
    'cli/src/b.ts': "const isWrong = err.message === 'Wrong'",
    'dashboard/src/lib/c.ts': "const text = error.message\nconst isGone = error.code === 'GONE'",
    'server/src/kernel/d.ts': "const isWrong = err.message === 'Wrong'",
  })

  assert.deepEqual(found, [
    'sdk/src/a.ts:1 compares the sentence of an error: compare its code or reason.',
    'cli/src/b.ts:1 compares the sentence of an error: compare its code or reason.',
  ])
})

test('an exported function is called verb + object', (t) => {
  const found = checkNames(t, {
    'sdk/src/a.ts': 'export function answerOf() {}\nexport const keyOf = () => 1',
    'sdk/src/b.ts': 'export function toAnswer() {}\nfunction keyOf() {}\nexport const indexOf = 1',
  })

  assert.deepEqual(found, [
    'sdk/src/a.ts:1 exports answerOf: a function is called verb + object.',
    'sdk/src/a.ts:2 exports keyOf: a function is called verb + object.',
  ])
})

test('a builder of schemas may be named like a keyword of JSON Schema', (t) => {
  assert.deepEqual(checkNames(t, { 'server/src/kernel/http/schemas.ts': 'export function oneOf() {}' }), [])
})

test('two modules of the server do not export a factory of the same name', (t) => {
  const found = checkNames(t, {
    'server/src/kernel/a.ts': 'export function createQueue() {}',
    'server/src/upstream/b.ts': 'export const createQueue = () => 1',
    'simulator/src/c.ts': 'export function createQueue() {}',
  })

  assert.deepEqual(found, ['server/src/upstream/b.ts and server/src/kernel/a.ts both export createQueue: rename one.'])
})
