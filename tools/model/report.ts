import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDeliveryModel } from './deliveries.ts'
import { type Change, explore } from './explore.ts'
import { createSendModel } from './sends.ts'

const PAGE = 'docs/reliability.md'

/** The page whose parts list the states of a key and of a delivery, as the models reach them. */
export function generateModelTables(root: string): Record<string, string> {
  const parts = {
    'states of a key': toTable(explore(createSendModel({ keys: 1 })).changes),
    'states of a delivery': toTable(explore(createDeliveryModel({ deliveries: 1 })).changes),
  }
  const text = Object.entries(parts).reduce(replacePart, readFileSync(join(root, PAGE), 'utf8'))
  return { [PAGE]: text }
}

function replacePart(text: string, [name, table]: [string, string]): string {
  const [opening, closing] = [`<!-- ${name}: npm run generate -->`, `<!-- end of ${name} -->`]
  const [before, after] = [text.split(opening)[0], text.split(closing)[1]]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no part for the ${name}`)
  return `${before}${opening}\n${table}\n\n${closing}${after}`
}

function toTable(changes: Change[]): string {
  const rows = changes.map(({ from, step, to }) => `| ${from} | ${step} | ${to} |`)
  return ['| From | Step | To |', '|---|---|---|', ...rows].join('\n')
}
