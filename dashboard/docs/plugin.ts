import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '@hubline/locales/languages.ts'
import type { Plugin } from 'vite'
import { GUIDE_FILES, listGuides, type ReadGuide, readGuides } from './guides.ts'
import { type ApiDocument, createOperationFinder } from './openapi.ts'
import { readReference } from './reference.ts'
import { indexGuides, indexOperations } from './search-index.ts'

const NAME = 'virtual:docs'
const root = join(import.meta.dirname, '../..')

/** The files of the repository that are in the built documentation, as globs. */
export const DOCS_SOURCES = ['openapi.json', ...GUIDE_FILES]

/**
 * The documentation as modules, which the pages load one by one: the list of everything, each guide in each language, the
 * reference, and an index for the search in each language. Nothing of it is read at run time, so the files of the build are
 * all that a hub needs.
 */
export function docsPlugin(): Plugin {
  const modules = new Map<string, string>()
  return {
    name: 'docs',
    buildStart() {
      modules.clear()
      for (const [name, code] of writeModules()) modules.set(name, code)
    },
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${NAME}`) ? modules.get(id.slice(1)) : undefined),
  }
}

function writeModules(): [string, string][] {
  const document: ApiDocument = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  const guides = readGuides(root, createOperationFinder(document))
  const reference = readReference(document)
  const operations = reference.operations.map(({ id, method, path, summary, tag }) => ({
    id,
    method,
    path,
    summary,
    tag,
  }))
  const indexes = LANGUAGES.map((language) => {
    const entries = indexGuides(guides.filter((guide) => guide.language === language))
    return { language, entries: language === 'en' ? [...entries, ...indexOperations(reference)] : entries }
  })
  const list = [
    declare('guides', listGuides(guides)),
    declare('tags', reference.tags),
    declare('operations', operations),
    `export const loadReference = () => import('${NAME}/docs-reference')`,
    declareLoaders('guideLoaders', guides.map(toModuleName)),
    declareLoaders(
      'indexLoaders',
      indexes.map(({ language }) => `docs-index-${language}`),
    ),
  ]
  return [
    [NAME, list.join('\n')],
    [`${NAME}/docs-reference`, declare('reference', reference)],
    ...guides.map((guide): [string, string] => [`${NAME}/${toModuleName(guide)}`, writeGuide(guide)]),
    ...indexes.map(({ language, entries }): [string, string] => [
      `${NAME}/docs-index-${language}`,
      declare('entries', entries),
    ]),
  ]
}

function toModuleName({ slug, language }: ReadGuide): string {
  return `docs-${slug}-${language}`
}

function declare(name: string, value: unknown): string {
  return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))})`
}

function declareLoaders(name: string, modules: string[]): string {
  const loaders = modules.map((module) => `${JSON.stringify(module)}: () => import('${NAME}/${module}')`)
  return `export const ${name} = {${loaders.join(',')}}`
}

/** The bundler gives each image and file its address. */
function writeGuide({ slug, language, title, blocks, files }: ReadGuide): string {
  return [
    ...files.map((file, index) => `import file${index} from ${JSON.stringify(`${join(root, file)}?url&no-inline`)}`),
    declare('content', { slug, language, title, blocks }),
    `export const files = {${files.map((file, index) => `${JSON.stringify(file)}: file${index}`).join(',')}}`,
  ].join('\n')
}
