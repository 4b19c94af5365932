import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

/** People read these: the documents, the pages with their words, the description of the API, and the sources. */
const READ = ['*.{md,json}', '{docs,server,simulator,sdk,cli,dashboard,bench}/**/*.{md,ts,tsx,html,css,json,sql}']
const NOT_OURS = ['node_modules', 'dist', 'data']

/** A guarantee that no hub can give, in English and in Portuguese. */
const CLAIM = /exactly[-\s]+once|exatamente[-\s]+uma[-\s]+vez/i
const DENIAL = /\b(never|not|nothing|no)\b/i
/** There a link works once. */
const CONTRACT = 'docs/contract.md'

test('nothing in the product, its pages or its documents claims exactly-once', {
  rules: ['delivery.exactly-once-is-never-claimed'],
}, () => {
  const files = globSync(READ, { cwd: ROOT, exclude: (name) => NOT_OURS.includes(name.split('/').at(-1) ?? '') })

  const claims = files
    .filter((file) => file !== CONTRACT)
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split(/\n\s*\n/)
        .filter((paragraph) => CLAIM.test(paragraph) && !DENIAL.test(paragraph))
        .map((paragraph) => `${file}: ${paragraph}`),
    )

  assert.ok(files.includes('README.md') && files.length > 500, `${files.length} files were read`)
  assert.deepEqual(claims, [])
})
