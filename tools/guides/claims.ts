import type { Block } from './blocks.ts'

/** Commands that the tests of the guides do not run, and why. */
export const COMMANDS_NOT_RUN: [pattern: RegExp, reason: string][] = [
  [/^git (clone|pull)|^cd hubline$/, 'the tests run in a clone'],
  [/^npm (ci|install)|openapi-typescript/, 'it needs a registry'],
  [/npm start$/, 'the hub of these tests is started by the program that `npm start` runs'],
  [/^npm run demo$/, 'tools/demo/demo.test.ts runs it'],
]

/** Names the test that runs or checks a block, or says why none does, by document and language. The first that fits holds. */
export const BLOCKS: { file: RegExp; language: RegExp; text?: RegExp; by: string }[] = [
  { file: /receiving-webhooks/, language: /^ts$/, text: /export/, by: 'sdk/test/recipes.test.ts' },
  {
    file: /receiving-webhooks/,
    language: /^(js|python|php|go|java|csharp)$/,
    by: 'tools/guides/receivers.test.ts, where the language is installed',
  },
  {
    file: /existing-clients/,
    language: /^(js|python)$/,
    by: 'tools/clients/journeys/clients.test.ts for the clients that are installed, and `npm run test:clients` for all',
  },
  { file: /existing-clients/, language: /^ruby$/, by: 'nothing: it needs a Chatwoot' },
  { file: /install/, language: /^(sh|js)$/, by: 'nothing but `npm run test:packages`: it needs a registry' },
  { file: /generated-clients/, language: /.*/, by: 'nothing but `npm run test:generators`: it needs registries' },
  { file: /high-availability/, language: /^(yaml|haproxy|sql)$/, by: 'nothing but `npm run ha`, which starts them' },
  {
    file: /guides\/(backup|upgrade)/,
    language: /^sh$/,
    by: 'server/test/journeys/backups.test.ts and server/src/app/http/hold.test.ts',
  },
  { file: /guides\/cells/, language: /^haproxy$/, by: 'server/test/poolers/cells.pooler.ts' },
  {
    file: /guides\/cells/,
    language: /^(sh|text)$/,
    by: 'nothing: settings and files, with commands for hosts of several machines',
  },
  { file: /guides\/cells/, language: /^yaml$/, by: 'server/test/poolers/cells.pooler.ts: its Lua, without an Envoy' },
  { file: /guides\/running/, language: /^sh$/, by: 'nothing: it changes accounts and services of the machine' },
  { file: /self-hosting/, language: /.*/, by: 'tools/guides/journeys/self-hosting.test.ts' },
  {
    file: /quick-start/,
    language: /^(js)?$/,
    by: 'tools/guides/journeys/commands.test.ts, as the receiver and its output',
  },
  { file: /.*/, language: /^sh$/, by: 'tools/guides/journeys/commands.test.ts' },
  { file: /sdk\/README|receiving-webhooks/, language: /^ts$/, by: 'tools/guides/snippets.test.ts' },
  { file: /webhooks\.md/, language: /^js$/, by: 'tools/guides/snippets.test.ts' },
  { file: /.*/, language: /^json$/, by: 'tools/guides/snippets.test.ts' },
  {
    file: /errors-and-limits|keys-and-scopes|people-and-sessions/,
    language: /^$/,
    by: 'nothing: lines of HTTP, not a program',
  },
  {
    file: /facade|typed-clients/,
    language: /^ts$/,
    by: 'nothing: it needs clients of others, which are no dependencies',
  },
]

export function findClaim({ file, language, text }: Block): string | undefined {
  return BLOCKS.find((one) => one.file.test(file) && one.language.test(language) && (one.text?.test(text) ?? true))?.by
}
