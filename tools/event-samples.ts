import { EVENT_KIND_NAMES, EVENT_KINDS } from '../server/src/domains/events/catalog.ts'

const DOCUMENT = 'docs/guides/event-samples.md'

const HEAD = `# Samples of events

Here is the body of one delivery of each [kind](webhooks.md#kinds-of-events), as an endpoint gets it. The members and their types are in
[openapi.json](../../openapi.json). Ignore kinds and members that you do not know.

This page is written by \`npm run generate\`.
`

type Content = { content: { 'application/json': { schema: { $ref: string } } } }
type Document = {
  webhooks: Record<string, { post: { requestBody: Content } }>
  components: { schemas: Record<string, { examples?: unknown[] }> }
}

/** The guide with a sample of each kind of event: the examples of the API description. */
export function generateEventSamples(openApi: string): Record<string, string> {
  const { webhooks, components } = JSON.parse(openApi) as Document
  const parts = EVENT_KIND_NAMES.map((kind) => {
    const name = webhooks[kind]?.post.requestBody.content['application/json'].schema.$ref.split('/').at(-1) ?? ''
    const sample = components.schemas[name]?.examples?.[0]
    if (sample === undefined) throw new Error(`openapi.json has no example of ${kind}`)
    return `## ${kind}\n\n${EVENT_KINDS[kind]}\n\n\`\`\`json\n${JSON.stringify(sample, null, 2)}\n\`\`\`\n`
  })
  return { [DOCUMENT]: [HEAD, ...parts].join('\n') }
}
