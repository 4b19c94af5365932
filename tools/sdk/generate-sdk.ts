import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Descriptions } from '../../server/src/app/openapi/describe-api.ts'
import { joinDocuments } from './document.ts'
import { writeExamples } from './examples-file.ts'
import { listMethods } from './operations.ts'
import { writeClasses, writeResources } from './resources-file.ts'
import { listTypes, writeFurtherTypes, writeTypes } from './types-file.ts'

/** The generated files of the SDK, by their paths in the repository. */
export function generateSdk(root: string, documents: Descriptions): Record<string, string> {
  const document = joinDocuments(JSON.parse(documents['openapi.json']), JSON.parse(documents['openapi-console.json']))
  const methods = listMethods(document, 'public')
  const ofConsole = listMethods(document, 'console')
  const files = {
    'sdk/src/generated/types.gen.ts': writeTypes(document, methods),
    'sdk/src/generated/resources.gen.ts': writeResources(document, methods),
    'sdk/src/generated/console-types.gen.ts': writeFurtherTypes(document, ofConsole, listTypes(document, methods)),
    'sdk/src/generated/console.gen.ts': writeClasses(document, ofConsole, 'console-types.gen.ts'),
    'sdk/test/examples.gen.ts': writeExamples(document, [...methods, ...ofConsole]),
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, formatSource(root, path, text)]))
}

export function formatSource(root: string, path: string, text: string): string {
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['check', '--write', `--stdin-file-path=${path}`]
  const { status, stdout, stderr } = spawnSync(biome, args, { cwd: root, input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${path} cannot be formatted: ${stderr}`)
  return stdout
}
