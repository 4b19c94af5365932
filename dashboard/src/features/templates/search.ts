export type TemplateSearch = { channel?: string; q?: string; open?: string }

export function parseTemplateSearch({ channel, q, open }: Record<string, unknown>): TemplateSearch {
  return {
    ...(typeof channel === 'string' && { channel }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof open === 'string' && { open }),
  }
}

export function parseEditorSearch({ channel }: Record<string, unknown>): { channel?: string } {
  return typeof channel === 'string' ? { channel } : {}
}
