import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWhole } from './last-line.ts'

const LINE = `{"type":"message","text":"${'x'.repeat(5000)}"}\n`
const END = '{"type":"end","lines":2}\n'

test('an export is whole only if its last line says so', async () => {
  const rows: [string, boolean][] = [
    [`${LINE}${LINE}${END}`, true],
    [END.trimEnd(), true],
    [`${LINE}${LINE}`, false],
    [`${LINE}${END.slice(0, 10)}`, false],
    [`${END}${LINE}`, false],
    [`{"type":"message","text":"{\\"type\\":\\"end\\","}\n`, false],
    [`${END}{"type":"message"}\n`, false],
    ['{"type":"message","last":{"type":"end","lines":2}}\n', false],
    ['', false],
  ]
  for (const [text, whole] of rows) assert.equal(await isWhole(new Blob([text])), whole, text.slice(-40))
})
