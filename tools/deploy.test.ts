import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const UNIT = join(import.meta.dirname, '../deploy/hubline.service')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test('systemd finds nothing wrong with the unit', {
  rules: ['deploy.systemd-unit-is-valid'],
  skip: !hasSystemd && 'systemd-analyze is not installed',
}, (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'hubline-unit-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'hubline.service')
  // It looks for the program and its manual, which are not installed here.
  const unit = readFileSync(UNIT, 'utf8').replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`)
  writeFileSync(file, unit)

  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })

  assert.equal(`${stdout}${stderr}`, '')
  assert.equal(status, 0)
})
