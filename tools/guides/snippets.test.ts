import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Block, readBlocks, splitCommands } from './blocks.ts'
import { BLOCKS, COMMANDS_NOT_RUN, findClaim } from './claims.ts'
import { readPageSnippets } from './page-snippets.ts'

const ROOT = join(import.meta.dirname, '../..')
const blocks = readBlocks(ROOT)

/** The snippets take these as given. */
const GIVEN = `import type { Hub as Client, HubApiError as Refusal, MessageBody, MessageEntry, signWebhook as sign } from '@hubline/sdk'
declare global {
  const hub: Client
  const hubOfChannel: Client
  const HubApiError: typeof Refusal
  const signWebhook: typeof sign
  const channelId: string
  const mediaId: string
  const organizationId: string
  const secret: string
  const bytes: Uint8Array<ArrayBuffer>
  const rawBody: Uint8Array<ArrayBuffer>
  const request: Request
  /** A page fills in these values. */
  const given: any
  const message: MessageBody
  function answer(message: MessageEntry): Promise<void>
  function lookUp(messageId: string): Promise<void>
}
`

/** The compiler of a project that has not switched `strict` on. */
const WITHOUT_NULL_CHECKS = { strict: false, exactOptionalPropertyTypes: false }

function listClaimed(test: string, language: string): Block[] {
  return blocks.filter((block) => block.language === language && findClaim(block) === test)
}

test('a test runs or checks every block of the guides and the READMEs, or the table says why not', () => {
  const unclaimed = blocks.filter((block) => findClaim(block) === undefined)
  const tests = BLOCKS.map(({ by }) => /^\S+\.test\.ts/.exec(by)?.[0]).filter((path) => path !== undefined)

  assert.ok(blocks.length > 100)
  assert.deepEqual(unclaimed, [])
  assert.deepEqual(
    tests.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
  for (const [pattern] of COMMANDS_NOT_RUN) {
    const found = blocks.some(({ text }) => splitCommands(text).some((command) => pattern.test(command)))
    assert.ok(found, `${pattern} excuses no command`)
  }
})

test('every block of JSON is JSON, but for what is left out', () => {
  for (const { file, line, text } of blocks.filter(({ language }) => language === 'json')) {
    const whole = text.replaceAll(/,\s*…|\{…\}/g, (found) => (found.startsWith('{') ? '{}' : ''))
    const values = isJson(whole) ? [whole] : whole.trim().split('\n')
    for (const value of values) assert.ok(isJson(value), `${file}:${line} ${value}`)
  }
})

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

test('the snippets of the SDK compile, those of the guides and those of the pages', {
  rules: ['sdk.recipes-compile'],
}, async (t) => {
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'snippets-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const ofGuides = listClaimed('tools/guides/snippets.test.ts', 'ts').map(({ text }) => text)
  const ofPages = readPageSnippets(ROOT)
  assert.ok(ofGuides.length >= 6)
  assert.ok(ofPages.length >= 20)
  const snippets = [...ofGuides, ...ofPages]
  for (const [at, text] of snippets.entries()) await writeFile(join(folder, `${at}.ts`), `${text}\nexport {}\n`)
  await writeFile(join(folder, 'given.d.ts'), GIVEN)

  for (const options of [{}, WITHOUT_NULL_CHECKS]) {
    const compilerOptions = { incremental: false, noUnusedLocals: false, ...options }
    const tsconfig = { extends: join(ROOT, 'tsconfig.json'), include: ['*.ts'], exclude: [], compilerOptions }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    await promisify(execFile)(tsc, ['-p', folder]).catch((err) => assert.fail(err.stdout))
  }
})

type Vector = {
  name: string
  format?: 'native' | 'compat'
  secret: string
  timestamp?: number
  body?: string
  body_base64?: string
  headers: Record<string, string>
}

test('the check in JavaScript of the guide takes what is signed, and refuses the rest', async () => {
  const [block] = listClaimed('tools/guides/snippets.test.ts', 'js')
  const source = `${block?.text}\nexport { isGenuine }`
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  const vectors = JSON.parse(await readFile(join(ROOT, 'docs/guides/webhook-signatures.json'), 'utf8'))
  const check = ({ secret, headers, body, body_base64 }: Vector, version: string, nowSeconds: number) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const rawBody = Buffer.from(body_base64 ?? body ?? '', body_base64 ? 'base64' : 'utf8')
    return isGenuine([secret], lower, rawBody, version, nowSeconds)
  }

  for (const vector of vectors.signed as Required<Vector>[]) {
    const [own, other] = vector.format === 'native' ? ['v2', 'compat-v1'] : ['compat-v1', 'v2']
    assert.equal(check(vector, own, vector.timestamp + 300), true, vector.name)
    assert.equal(check(vector, own, vector.timestamp + 301), vector.format === 'compat', vector.name)
    assert.equal(check(vector, other, vector.timestamp), false, vector.name)
  }
  for (const vector of vectors.rotated as (Required<Vector> & { previous_secret: string })[]) {
    const own = vector.format === 'native' ? 'v2' : 'compat-v1'
    assert.equal(check(vector, own, vector.timestamp), true, vector.name)
    assert.equal(check({ ...vector, secret: vector.previous_secret }, own, vector.timestamp), true, vector.name)
    assert.equal(check({ ...vector, secret: 'whsec_other' }, own, vector.timestamp), false, vector.name)
  }
  for (const vector of vectors.refused as Vector[]) {
    for (const version of ['v2', 'compat-v1']) assert.equal(check(vector, version, 1_700_000_000), false, vector.name)
  }
})
