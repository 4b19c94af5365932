import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const GUIDE = join(import.meta.dirname, '../../docs/guides/generated-clients.md')
const TABLE = /(<!-- generators: [^\n]*-->\n).*?(\n<!-- end of generators -->)/s

export type Section = { commands: string[]; program: { name: string; text: string } }

/** The commands and the program of a generator, as the guide shows them. */
export function readSection(name: string): Section {
  const [, rest] = readFileSync(GUIDE, 'utf8').split(`\n## ${name}\n`)
  const [section = ''] = rest?.split(/\n## /) ?? []
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  const [, file, text] = /`([\w.]+)`:\n\n```\w+\n([\s\S]*?)```/.exec(section) ?? []
  if (!commands || !file || !text) throw new Error(`The guide has no commands or no program for ${name}`)
  return { commands: commands.trim().split('\n'), program: { name: file, text } }
}

export type Row = { name: string; language: string; version?: string; result: string }

/** Puts the results between the markers of the guide. */
export async function writeTable(rows: Row[]): Promise<void> {
  const guide = await readFile(GUIDE, 'utf8')
  if (!TABLE.test(guide)) throw new Error('The guide has no place for the table.')
  const lines = rows.map(
    ({ name, version = '', language, result }) => `| ${name} | ${version} | ${language} | ${result} |`,
  )
  const table = ['| Generator | Version | Language | Result |', '|---|---|---|---|', ...lines].join('\n')
  await writeFile(
    GUIDE,
    guide.replace(TABLE, (_found, begin, end) => `${begin}\n${table}\n${end}`),
  )
}
