import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced block of a document. */
export type Block = { file: string; line: number; language: string; text: string }

const DOCUMENTS = ['README*.md', 'docs/guides/*.md', 'sdk/README.md', 'cli/README.md']
const FENCED = /^```(\w*)\n(.*?)^```$/gms

/** Every block of the guides and the READMEs, by document and in order. */
export function readBlocks(root: string): Block[] {
  return globSync(DOCUMENTS, { cwd: root })
    .sort()
    .flatMap((file) => {
      const document = readFileSync(join(root, file), 'utf8')
      return [...document.matchAll(FENCED)].map(({ 1: language = '', 2: text = '', index }) => ({
        file,
        line: document.slice(0, index).split('\n').length,
        language,
        text,
      }))
    })
}

/** The commands of a block of shell. One ends with its line, unless a backslash or a quote continues it. */
export function splitCommands(text: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    if (/\\$/.test(line) || hasOpenQuote(open)) continue
    if (open.trim() !== '' && !open.trimStart().startsWith('#')) commands.push(open)
    open = ''
  }
  return commands
}

function hasOpenQuote(text: string): boolean {
  const rest = text.replaceAll(/\\./gs, '').replaceAll(/"[^"]*"|'[^']*'/g, '')
  return /["']/.test(rest.replaceAll(/(?:^|\s)#.*$/gm, ''))
}
