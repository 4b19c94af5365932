import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseRules } from './contract.ts'
import { listFiles } from './sources.ts'

/** A path with at least one folder, as docs name a file of the repository: `messages/sending/outcome.ts`. */
const PATH = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|js|sql|css|html))`/g
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g
/** A comment that points to a rule: the name of the page, `#` and the id. */
const RULE = /contract\.md#([a-z]+\.[\w-]+)/g

/** Every file, link and anchor that the documents, or comments that point to them, name and that does not exist. */
export function checkDocs(root: string): string[] {
  const files = listFiles(root, ['.'], /\.(?:ts|js|sql|css|html)$/)
  const documents = listFiles(root, ['.'], /\.md$/)
  const contract = join(root, 'docs/contract.md')
  const rules = new Set(existsSync(contract) ? parseRules(readFileSync(contract, 'utf8')).map(({ id }) => id) : [])
  return [
    ...documents.flatMap((path) => checkDocument(root, path, files)),
    ...checkDecisions(root, documents),
    ...[...documents, ...files].flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(RULE)]
        .filter(([, id = '']) => !rules.has(id))
        .map(([found]) => `${path} points to ${found}, which does not exist.`),
    ),
  ]
}

/** A decision that the index does not list is not found by a reader. */
function checkDecisions(root: string, documents: string[]): string[] {
  const index = 'docs/decisions/README.md'
  const listed = existsSync(join(root, index)) ? readFileSync(join(root, index), 'utf8') : ''
  return documents
    .filter((path) => dirname(path) === dirname(index) && path !== index && !listed.includes(`](${basename(path)})`))
    .map((path) => `${index} does not list ${path}.`)
}

function checkDocument(root: string, path: string, files: string[]): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const paths = [...text.matchAll(PATH)].map(([, named = '']) => named)
  const links = [...text.matchAll(LINK)].map(([, target = '', anchor]) => ({ target, anchor }))
  return [
    ...paths
      .filter((named) => !files.some((file) => file === named || file.endsWith(`/${named}`)))
      .map((named) => `${path} names ${named}, which does not exist.`),
    ...links.flatMap(({ target, anchor }) => {
      const file = target === '' ? join(root, path) : join(root, dirname(path), target)
      if (!existsSync(file)) return [`${path} links to ${target}, which does not exist.`]
      if (anchor === undefined || readAnchors(file).has(anchor)) return []
      return [`${path} links to ${target}#${anchor}, which does not exist.`]
    }),
  ]
}

/** The anchors of a document: those written as HTML, and those that a reader of Markdown makes of headings. */
function readAnchors(file: string): Set<string> {
  if (!existsSync(file) || !file.endsWith('.md')) return new Set()
  const text = readFileSync(file, 'utf8')
  const written = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...written, ...headings])
}
