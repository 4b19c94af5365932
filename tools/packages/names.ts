import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED } from '@hubline/locales/published.ts'
import { isTest, listFiles } from '../sources.ts'

const TEXTS = /\.(?:ts|tsx|js|mjs|md|html|ya?ml|txt|service)$|(?:^|\/)Dockerfile$/
/** A name alone, and not the path of a file or an address that contains it. */
const OURS = '(?:@hubline/[a-z]+|hubline)(?=[@\\s`\'"),;]|$)'
const INSTALLS = new RegExp(`\\bnpm (?:install|i|add|exec|create|init)(?: -[\\w-]+)* ${OURS}`)
const RUNS = new RegExp(`\\bnpx(?: -[\\w-]+)* ${OURS}`)
const PULLS = /\bdocker (?:pull|run)\b[^\n`]*\bhubline\b|^\s*image:\s*\S*hubline/m
/** Their reader stands in a clone, where npx runs the sources. Other texts say so in the same line. */
const IN_THE_CLONE = /^README[\w.-]*\.md$|^docs\/guides\/(?:quick-start[\w.-]*|cli)\.md$|^cli\/README\.md$/
const NAMES_THE_CLONE = /\bclone?\b/

/**
 * Every line that lets a person install a package of ours by its name, or pull an image: as long as no registry has them,
 * such a name may be a stranger's.
 */
export function checkPublishedNames(root: string, isPublished = PUBLISHED): string[] {
  if (isPublished) return []
  return listFiles(root, ['.'], TEXTS)
    .filter((path) => !isTest(path) && path !== 'CHANGELOG.md' && !path.startsWith('tools/packages/'))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n')
      return lines
        .filter((line) => INSTALLS.test(line) || PULLS.test(line) || (RUNS.test(line) && !isInClone(path, line)))
        .map((line) => `${path} names a package or image that nobody has published: ${line.trim()}`)
    })
}

function isInClone(path: string, line: string): boolean {
  return IN_THE_CLONE.test(path) || NAMES_THE_CLONE.test(line)
}
