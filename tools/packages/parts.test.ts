import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listParts, writeParts } from './parts.ts'

/** Licenses that ask for nothing but their text beside the copy. Another one is for a person to judge. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'Unlicense']
const AMD64 = /(?<=[-/])linux-x64(?=[- ])/

function newDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'hubline-parts-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('a release lists its parts with their licenses, and has the texts of those', {
  rules: ['release.lists-its-parts'],
}, (t) => {
  const directory = newDirectory(t)

  const { files, parts } = writeParts(directory)

  const [bom, licenses] = files.map((file) => readFileSync(join(directory, file), 'utf8'))
  assert.equal(JSON.parse(bom ?? '').bomFormat, 'CycloneDX')
  for (const { name, version } of parts) assert.ok(licenses?.includes(`${name} ${version} (`), name)
  const fastify = parts.find(({ name }) => name === 'fastify')
  assert.match(fastify?.texts.join() ?? '', /Permission is hereby granted/)
  const names = parts.map(({ name }) => name)
  assert.ok(names.includes('pg') && names.includes('react') && !names.includes('typescript'))
  assert.ok(!names.some((name) => name.startsWith('@hubline/')))
})

test('every part has a license that allows the release', { rules: ['release.lists-its-parts'] }, () => {
  const others = listParts().filter(({ license }) => !PERMISSIVE.includes(license))

  assert.deepEqual(others, [])
})

test('every part that is compiled for amd64 exists for arm64 too, in the same version', {
  rules: ['release.runs-on-amd64-and-arm64'],
}, () => {
  const parts = listParts().map(({ name, version }) => `${name} ${version}`)

  const compiled = parts.filter((part) => AMD64.test(part))
  assert.ok(compiled.length >= 3)
  for (const part of compiled) assert.ok(parts.includes(part.replace(AMD64, 'linux-arm64')), part)
})
