import { type KnownTemplate, listFields, toMessageTemplate } from '../../api/template-fields.ts'
import { writeCurl, writeProgram } from '../../lib/api-example.ts'
import type { StoredTemplate } from './template.ts'

const RECIPIENT = '5511987654321'
const FILE_URL = 'https://example.com/file'

/** A send of the template with the samples of its review, as programs that work once the recipient is a real one. */
export function writeCalls(channelId: string, stored: StoredTemplate): Record<string, string> {
  const template: KnownTemplate = { ...stored, components: stored.components }
  const samples = readSamples(stored)
  const values = Object.fromEntries(
    listFields(template).map(({ id, kind, name }) => {
      const isFile = kind === 'image' || kind === 'video' || kind === 'document'
      return [id, isFile ? FILE_URL : (samples[id] ?? name)]
    }),
  )
  const body = { to: RECIPIENT, type: 'template' as const, template: toMessageTemplate(template, values) }
  const path = `/api/v1/channels/${channelId}/messages`
  return {
    curl: writeCurl({ method: 'POST', path, body }),
    TypeScript: writeProgram(`await hub.messages.send('${channelId}', ${JSON.stringify(body, null, 2)})`),
  }
}

function readSamples({ components }: StoredTemplate): Record<string, string> {
  const examples = components.flatMap(({ type, example }) => {
    const [values = []] = type.toUpperCase() === 'BODY' ? ((example?.body_text ?? []) as string[][]) : []
    return values.map((value, position) => [`body-${position + 1}`, value] as const)
  })
  return Object.fromEntries(examples)
}
