import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from '../sdk/document.ts'

const GUIDES = 'docs/guides'
/** A row of the table of guides. */
const GUIDE = /^\| \[([^\]]+)\]\(([\w.-]+\.md)\) \| (.+) \|$/gm

/** A language model reads this first: what the hub is, where the guides are, and each operation in one line. */
export function writeLlmsTxt(root: string, openapi: string): string {
  const { paths, info }: Document & { info: { description: string } } = JSON.parse(openapi)
  const [summary = '', ...facts] = info.description.split('\n')
  const guides = [...readFileSync(join(root, GUIDES, 'README.md'), 'utf8').matchAll(GUIDE)]
  const operations = Object.entries(paths)
    .filter(([path]) => !path.includes('{resourcePath}'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([verb, { tags, summary, 'x-scope': scope }]) => ({
        tag: tags[0],
        line: `- \`${verb.toUpperCase()} ${path}\`: ${summary}.${scope ? ` Scope \`${scope}\`.` : ''}`,
      })),
    )
  const sections = [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, entries]) =>
    [`### ${tag}`, '', ...entries.map(({ line }) => line)].join('\n'),
  )
  return [
    '# Hubline',
    `> ${summary}`,
    facts.join('\n'),
    'A credential is `Authorization: Bearer` with an API key (`hub_pk_…`) or a channel token (`hub_ch_…`). A send needs the header `Idempotency-Key`.',
    '## Reference',
    '- [openapi.json](openapi.json): the public API in OpenAPI 3.1, also served at `/openapi.json`\n- [postman-collection.json](postman-collection.json): a request for each operation',
    '## Guides',
    guides.map(([, title, file, text]) => `- [${title}](${GUIDES}/${file}): ${text}`).join('\n'),
    '## Operations',
    ...sections,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}
