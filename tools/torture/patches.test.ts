import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkPatches } from './patches.ts'

test('a planted bug whose code has changed is named', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'hubline-patches-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const bugs = join(root, 'tools/torture/bugs')
  await cp(join(import.meta.dirname, 'bugs'), bugs, { recursive: true })
  for (const name of ['gone', 'fits']) {
    const [before, after] = ['-a', '+b']
    const patch = `--- a/${name}.txt\n+++ b/${name}.txt\n@@ -1 +1 @@\n${before}\n${after}\n`
    await writeFile(join(bugs, `${name}.patch`), patch)
  }
  await writeFile(join(root, 'fits.txt'), 'a\n')

  const found = checkPatches(root).join('\n')

  assert.match(found, /gone\.patch no longer applies/)
  assert.doesNotMatch(found, /fits\.patch/)
})
