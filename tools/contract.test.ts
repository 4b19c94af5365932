import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkContract, findTitles, parsePage, parsePins } from './contract.ts'
import { tokenize } from './tokens.ts'

const ID = /^[A-Z]+-\d{2}$/

const contract = (...rows: string[]) => ['| Rule id | Rule | Pinned by |', '|---|---|---|', ...rows, ''].join('\n')

const gaps = (...rows: string[]) =>
  ['| Anchor | Left open | Our choice | Pinned by |', '|---|---|---|---|', ...rows, ''].join('\n')

/** Checks a repository that consists of the given files only. */
function check(t: TestContext, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'hubline-contract-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries({
    'docs/contract.md': contract(),
    'docs/spec-gaps.md': gaps(),
    ...files,
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkContract(root)
}

test('the pages of the repository name only tests that exist', () => {
  const report = checkContract(join(import.meta.dirname, '..'))

  assert.deepEqual(report.errors, [])
  assert.equal(report.total, report.pinned + report.open)
})

test('rows are counted as pinned where they name a test, and as open where they say so', (t) => {
  const report = check(t, {
    'docs/contract.md': contract(
      '| CH-01 | A channel has an id. | `server/src/a.test.ts` › `a channel has an id` |',
      '| CH-02 | A channel has a name. | `server/src/a.test.ts` › `it has a name`<br>`b.test.ts` › `so it has` |',
      '| CH-03 | A channel has a type. | open |',
    ),
    'server/src/a.test.ts': "test('a channel has an id', () => {})\ntest('it has a name', () => {})",
    'b.test.ts': "describe('names', () => { it('so it has', () => {}) })",
  })

  assert.deepEqual(report, { errors: [], total: 3, pinned: 2, open: 1 })
})

test('a row that names a file or a title that does not exist is an error with its id', (t) => {
  const report = check(t, {
    'docs/contract.md': contract(
      '| CH-01 | A rule. | `a.test.ts` › `yes`<br>`a.test.ts` › `no` |',
      '| CH-02 | A rule. | `gone.test.ts` › `yes` |',
    ),
    'a.test.ts': "test('yes', () => {})",
  })

  assert.deepEqual(report.errors, [
    'docs/contract.md:3 row CH-01 names the test "no", which a.test.ts does not have.',
    'docs/contract.md:4 row CH-02 names gone.test.ts, which is no test file.',
  ])
})

test('a test under node_modules pins nothing', (t) => {
  const report = check(t, {
    'docs/contract.md': contract('| CH-01 | A rule. | `node_modules/a/a.test.ts` › `yes` |'),
    'node_modules/a/a.test.ts': "test('yes', () => {})",
  })

  assert.equal(report.errors.length, 1)
})

test('the gaps are held to their tests like the rules, and are not counted', (t) => {
  const report = check(t, {
    'docs/spec-gaps.md': gaps(
      '| <a id="channel-status"></a>channel-status | Values. | Four of them. | `a.test.ts` › `no` |',
      '| <a id="paging"></a>paging | Cursors. | Opaque. | open |',
    ),
    'a.test.ts': "test('yes', () => {})",
  })

  assert.deepEqual(report, {
    errors: ['docs/spec-gaps.md:3 row channel-status names the test "no", which a.test.ts does not have.'],
    total: 0,
    pinned: 0,
    open: 0,
  })
})

test('a page that is missing is an error', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'hubline-contract-'))
  t.after(() => rmSync(root, { recursive: true }))

  assert.deepEqual(checkContract(root).errors, [
    'docs/contract.md does not exist.',
    'docs/spec-gaps.md does not exist.',
  ])
})

test('an id used twice is an error that names both lines', () => {
  const page = parsePage('a.md', contract('| CH-01 | A. | open |', '| CH-01 | B. | open |'), ID)

  assert.deepEqual(page.errors, ['a.md:4 uses the id CH-01 again, which line 3 has.'])
})

for (const [row, problem] of [
  ['| CH-01 | A. |', /row CH-01 has 2 cells instead of 3/],
  ['| CH-01 | A | B. | open |', /row CH-01 has 4 cells instead of 3/],
  ['| ch1 | A. | open |', /"ch1" has not the form of a row's id/],
  ['| CH-01 |  | open |', /row CH-01 has an empty cell/],
  ['| CH-01 | A. | soon |', /row CH-01 names no test in the form/],
  ['| CH-01 | A. | a.test.ts › title |', /row CH-01 names no test in the form/],
  ['| CH-01 | A. | `a.ts` › `title` |', /row CH-01 names no test in the form/],
  ['| CH-01 | A. | open<br>`a.test.ts` › `title` |', /row CH-01 names no test in the form/],
] as const) {
  test(`a malformed row is an error and is not counted: ${row}`, () => {
    const page = parsePage('a.md', contract(row), ID)

    assert.equal(page.rows.length, 0)
    assert.match(page.errors.join('\n'), problem)
  })
}

test('a table without the column is prose, and each table is read by its own heading', () => {
  const markdown = ['| A | B |', '|---|---|', '| x | y |', '', contract('| CH-01 | A. | open |')].join('\n')

  const page = parsePage('a.md', markdown, ID)

  assert.deepEqual(page, { rows: [{ id: 'CH-01', line: 7, pins: [] }], errors: [] })
})

test('a title may hold a bar, a backtick or the separator itself', () => {
  const page = parsePage('a.md', contract('| CH-01 | A \\| B. | `a.test.ts` › `` `a` \\| b › c `` |'), ID)

  assert.deepEqual(page.rows[0]?.pins, [{ path: 'a.test.ts', title: '`a` | b › c' }])
})

test('open is no pin, and anything unknown is not a list of pins', () => {
  assert.deepEqual(parsePins('open'), [])
  assert.equal(parsePins('Open'), undefined)
})

test('titles are found in every quotation, with their escapes resolved', () => {
  const source = [
    "test('it\\'s single', () => {})",
    'test("it\\"s double", async (t) => {',
    '  await t.test(`backtick`, () => {})',
    '})',
    "describe('group', () => {",
    "  it('nested', { timeout: 5 }, () => {})",
    '  test(',
    "    'on its own line',",
    '    () => {},',
    '  )',
    '})',
  ].join('\n')

  assert.deepEqual(findTitles(tokenize(source)), [
    "it's single",
    'it"s double',
    'backtick',
    'nested',
    'on its own line',
  ])
})

test('a title with a substitution is named as the source has it', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a test is what is read here
  const source = 'test(`a ${what} is refused (${ERRORS[what]})`, () => {})'

  // biome-ignore lint/suspicious/noTemplateCurlyInString: a title is named as the source has it
  assert.deepEqual(findTitles(tokenize(source)), ['a ${what} is refused (${ERRORS[what]})'])
})

test('a skipped, planned, empty, commented or concatenated test has no title to name', () => {
  const source = [
    "test.skip('skipped', () => {})",
    "test.todo('planned')",
    "// test('commented', () => {})",
    "test('computed ' + name, () => {})",
    "const quoted = `test('quoted', () => {})`",
    "/a/.test('pattern')",
    "test('empty')",
  ].join('\n')

  assert.deepEqual(findTitles(tokenize(source)), [])
})
