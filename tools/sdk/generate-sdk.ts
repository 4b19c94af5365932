import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Document } from './document.ts'
import { writeExamples } from './examples-file.ts'
import { listMethods } from './operations.ts'
import { writeResources } from './resources-file.ts'
import { writeTypes } from './types-file.ts'

/** The generated files of the SDK, by their paths in the repository. */
export function generateSdk(root: string, openapi: string): Record<string, string> {
  const document: Document = JSON.parse(openapi)
  const methods = listMethods(document)
  const files = {
    'sdk/src/generated/types.gen.ts': writeTypes(document, methods),
    'sdk/src/generated/resources.gen.ts': writeResources(document, methods),
    'sdk/test/examples.gen.ts': writeExamples(document, methods),
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, format(root, path, text)]))
}

function format(root: string, path: string, text: string): string {
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['check', '--write', `--stdin-file-path=${path}`]
  const { status, stdout, stderr } = spawnSync(biome, args, { cwd: root, input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${path} cannot be formatted: ${stderr}`)
  return stdout
}
