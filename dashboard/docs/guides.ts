import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import type { Block, Group, Guide, GuideEntry, Inline, Target } from '../src/features/docs/content.ts'
import { type FindOperation, toPlainText, toWebTarget } from './inline.ts'
import { parseMarkdown } from './markdown.ts'

type Source = { slug: string; group: Group; file: string; title?: string }

const GUIDES = 'docs/guides'
/** The guides in the order of the list, by the names of their files. */
const OUTLINE: Record<Group, string[]> = {
  start: ['quick-start', 'install', 'dashboard', 'cli', 'keys-and-scopes'],
  messaging: ['messages', 'channels', 'onboarding-customers', 'costs'],
  webhooks: ['webhooks', 'event-samples', 'receiving-webhooks', 'errors-and-limits', 'error-reasons'],
  clients: ['typed-clients', 'generated-clients', 'existing-clients', 'facade', 'leaving-evolution-api'],
  operate: [
    'self-hosting',
    'backup',
    'high-availability',
    'cells',
    'meta-app',
    'billing',
    'people-and-sessions',
    'audit-log',
    'privacy',
  ],
}
/** Documents elsewhere that the guides lead to. */
const FURTHER: readonly Source[] = [
  { slug: 'hubline', group: 'start', file: 'README.md' },
  { slug: 'simulator', group: 'start', file: 'simulator/README.md' },
  { slug: 'typescript-client', group: 'clients', file: 'sdk/README.md', title: 'The TypeScript client' },
  { slug: 'scaling', group: 'operate', file: 'docs/scaling.md' },
  { slug: 'operations', group: 'operate', file: 'docs/operations.md' },
  { slug: 'security-model', group: 'operate', file: 'docs/security-model.md' },
  { slug: 'reliability', group: 'operate', file: 'docs/reliability.md' },
]
/** Files that a reader downloads or looks at. Links to all other files of the repository lead nowhere from a hub. */
const SHOWN_FILE = /^docs\/(?:images\/[\w-]+\.png|guides\/[\w-]+\.json)$/

/** All documents in their order. A guide without a place in the outline is the last of its group. */
export const SOURCES: readonly Source[] = Object.entries(OUTLINE).flatMap(([key, slugs]) => {
  const group = key as Group
  const further = FURTHER.filter((one) => one.group === group)
  const others = group === 'operate' ? listOthers() : []
  const guides = [...slugs, ...others].map((slug) => ({ slug, group, file: `${GUIDES}/${slug}.md` }))
  return [...further.filter(isIntroduction), ...guides, ...further.filter((one) => !isIntroduction(one))]
})

function listOthers(): string[] {
  const listed = Object.values(OUTLINE).flat()
  const slugs = readdirSync(join(import.meta.dirname, '../..', GUIDES)).map((name) => /^([\w-]+)\.md$/.exec(name)?.[1])
  return slugs.filter((slug) => slug !== undefined).filter((slug) => slug !== 'README' && !listed.includes(slug))
}

function isIntroduction({ file }: Source): boolean {
  return file === 'README.md'
}

/** The files of the repository that the guides are made of, as globs. */
export const GUIDE_FILES = [
  'docs/guides/*',
  'docs/images/*.png',
  ...FURTHER.map(({ file }) => file.replace(/\.md$/, '*.md')),
]

/** A guide in one language, without the addresses of its files, which the bundler gives. */
export type ReadGuide = Omit<Guide, 'files'> & { group: Group; files: string[] }

export function readGuides(root: string, findOperation: FindOperation): ReadGuide[] {
  return SOURCES.flatMap((source) =>
    LANGUAGES.map((language) => ({ language, path: toVersion(source.file, language) }))
      .filter(({ path }) => existsSync(join(root, path)))
      .map(({ language, path }) => readGuide(root, source, language, path, findOperation)),
  )
}

/** `quick-start.md` in Spanish is `quick-start.es.md`. */
function toVersion(file: string, language: Language): string {
  return language === 'en' ? file : file.replace(/\.md$/, `.${language}.md`)
}

function readGuide(
  root: string,
  source: Source,
  language: Language,
  path: string,
  findOperation: FindOperation,
): ReadGuide {
  const files = new Set<string>()
  function findTarget(address: string): Target | undefined {
    const target = resolve(root, path, source.slug, address)
    if (target && 'file' in target) files.add(target.file)
    return target
  }
  const { title, blocks } = parseMarkdown(readFileSync(join(root, path), 'utf8'), { findTarget, findOperation })
  const shown = blocks.filter((block) => !listsVersions(block, source.slug))
  return {
    slug: source.slug,
    group: source.group,
    language,
    title: source.title ?? title,
    blocks: shown,
    files: [...files],
  }
}

function resolve(root: string, path: string, slug: string, address: string): Target | undefined {
  const web = toWebTarget(address)
  if (web) return web
  const [file = '', heading] = address.split('#')
  const at = heading ? { heading } : {}
  if (file === '') return heading ? { guide: slug, heading } : undefined
  const wanted = posix.join(dirname(path), file)
  if (wanted === 'openapi.json') return { url: '/openapi.json' }
  if (SHOWN_FILE.test(wanted)) return existsSync(join(root, wanted)) ? { file: wanted } : undefined
  const found = SOURCES.find((one) => LANGUAGES.some((language) => toVersion(one.file, language) === wanted))
  return found && { guide: found.slug, ...at }
}

/** The line that leads to the guide in other languages: the page has a switch for that. */
function listsVersions(block: Block, slug: string): boolean {
  if (block.kind !== 'paragraph') return false
  const isVersion = (one: Inline) =>
    typeof one === 'object' && 'link' in one && 'guide' in one.link && one.link.guide === slug
  return (
    block.text.some(isVersion) &&
    block.text.every((one) => isVersion(one) || (typeof one === 'string' && /^[\s·]*$/.test(one)))
  )
}

/** The list of all guides. Headings of the second level are its entries below the open guide. */
export function listGuides(guides: readonly ReadGuide[]): GuideEntry[] {
  return SOURCES.map(({ slug, group }) => {
    const versions = guides.filter((guide) => guide.slug === slug)
    const entries = versions.map(({ language, title, blocks }) => [language, { title, headings: listHeadings(blocks) }])
    return { slug, group, versions: Object.fromEntries(entries) }
  })
}

function listHeadings(blocks: readonly Block[]) {
  return blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === 2 ? [{ id: block.id, title: toPlainText(block.text) }] : [],
  )
}
