import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from './sources.ts'

/**
 * Words that the project does not use, and what to write instead; docs/vocabulary.md gives the reasons. Only words that a
 * text search finds without false alarms are here. Each is matched whole, and as a part of an identifier too.
 */
const WORDS: readonly { pattern: string; instead: string }[] = [
  // In quotes, `nobody` is the name of an account of the operating system.
  {
    pattern: "whoever|whatever|somebody|anybody|everybody|(?<![`'])nobody|nobody(?![`':])",
    instead: 'the subject by its name',
  },
  { pattern: 'told|heard', instead: 'receives, is notified, is refused with' },
  { pattern: 'of late|what is none', instead: 'a statement with a subject' },
  { pattern: 'catalogues?', instead: 'catalog' },
  { pattern: 'behaviou?rs?(?<!behaviors?)', instead: 'behavior' },
  { pattern: 'colou?rs?(?<!colors?)|neighbou?rs?(?<!neighbors?)', instead: 'color, neighbor' },
  { pattern: '(?:recogni|organi|authori|normali|seriali|initiali)s(?:e|es|ed|ing|ation|ations)', instead: '-ize' },
  { pattern: 'licences?', instead: 'license' },
  { pattern: 'parcels?', instead: 'delivery request' },
  { pattern: 'helpings?', instead: 'batch size' },
  { pattern: 'faceless', instead: 'placeholder' },
  { pattern: 'storeys?', instead: 'layer' },
  { pattern: 'lengthening', instead: 'jitter' },
  { pattern: 'strangers?', instead: 'anonymous client, another organization' },
  { pattern: 'blots?|blotted|scrubs?|scrubbed', instead: 'redact' },
  { pattern: 'mends?|mended|mending', instead: 'fix, restore' },
  { pattern: 'passages?', instead: 'passthrough' },
]

const READ = /\.(?:ts|tsx|js|mjs|css|html|md|json|yml|sh)$|^Dockerfile$|^\.env\.example$/
/** A migration that ran does not change, the vocabulary names what it replaces, and the lock file is npm's. */
const EXCEPT = /\/migrations\/|^docs\/vocabulary\.md$|^tools\/words(?:\.test)?\.ts$|^package-lock\.json$/

const MATCHERS = WORDS.map(({ pattern, instead }) => ({
  instead,
  regExp: new RegExp(`\\b(?:${pattern})\\b`, 'i'),
}))

/** Each line and each file name with a word that the project does not use, one sentence each. */
export function checkWords(root: string): string[] {
  return listFiles(root, ['.'], READ)
    .filter((path) => !EXCEPT.test(path))
    .flatMap((path) => findWords(path, readFileSync(join(root, path), 'utf8')))
}

export function findWords(path: string, text: string): string[] {
  const lines = [path, ...text.split('\n')]
  return lines.flatMap((line, number) => {
    const words = splitIdentifiers(line)
    return MATCHERS.flatMap(({ regExp, instead }) => {
      const found = regExp.exec(words)
      return found ? [`${path}:${number} says "${found[0]}": write ${instead}.`] : []
    })
  })
}

/** `isHeard` and `is_heard` as words: `is Heard`, `is heard`. */
function splitIdentifiers(line: string): string {
  return line.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').replaceAll('_', ' ')
}
