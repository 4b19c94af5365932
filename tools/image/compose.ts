import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The places that the container may write, and the time that it has to end. */
export type Compose = { volumes: string[]; graceSeconds: number }

/** Every container of the hub has these lines too. */
const CONFINED = [
  'read_only: true',
  'cap_drop: [ALL]',
  "security_opt: ['no-new-privileges:true']",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: compose replaces it, not this program
  'mem_limit: ${MEMORY:-1g}',
  'pids_limit: 256',
]

export function readCompose(root: string): Compose {
  const text = readFileSync(join(root, 'compose.yaml'), 'utf8')
  for (const line of CONFINED) {
    if (!text.includes(`\n    ${line}\n`)) throw new Error(`compose.yaml has no line ${line}`)
  }
  const [, list = ''] = /^ {4}volumes: (\[.*\])$/m.exec(text) ?? []
  const [, grace = ''] = /^ {4}stop_grace_period: (\d+)s$/m.exec(text) ?? []
  const volumes = [...list.matchAll(/'(?:\w+:)?(\/[^']+)'/g)].map(([, path = '']) => path)
  if (volumes.length === 0 || !grace) throw new Error('compose.yaml names no volumes, or no stop_grace_period')
  return { volumes, graceSeconds: Number(grace) }
}
