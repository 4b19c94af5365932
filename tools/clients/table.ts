import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallResult } from './driving.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guides/existing-clients.md')
const TABLE = /(<!-- clients: [^\n]*-->\n).*?(\n<!-- end of clients -->)/s

/** A client that was driven, with its results, or one that was not, with the reason. */
export type Row = {
  name: string
  language: string
  version?: string
  setting?: string
  cannot?: Record<string, string>
  results?: CallResult[]
  reason?: string
}

/** Puts the results between the markers of the guide. */
export async function writeTable(rows: Row[]): Promise<void> {
  const guide = await readFile(GUIDE, 'utf8')
  if (!TABLE.test(guide)) throw new Error('The guide has no place for the table.')
  await writeFile(
    GUIDE,
    guide.replace(TABLE, (_found, begin, end) => `${begin}\n${buildTable(rows)}\n${end}`),
  )
}

export function buildTable(rows: Row[]): string {
  const lines = rows.map((row) => {
    const { name, version = '', language, results } = row
    const working = results?.filter(({ works }) => works).length ?? ''
    return `| \`${name}\` | ${version} | ${language} | ${results?.length ?? ''} | ${working} | ${describeRow(row)} |`
  })
  return [
    '| Client | Version | Language | Calls tried | Calls that work | Note |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

function describeRow({ setting, cannot = {}, results = [], reason }: Row): string {
  if (reason !== undefined) return `Not tried: ${reason}.`
  const failed = results
    .filter(({ works }) => !works)
    .map(({ name }) => `"${name}" ${cannot[name] === undefined ? 'fails' : `does not: ${cannot[name]}`}.`)
  return [`Set ${setting}.`, ...failed].join(' ')
}
