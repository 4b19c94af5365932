/**
 * The search of a page with what `parse` knows, and nothing else of the address. The router adds what it returns to all that the address
 * has, so that a value that was refused would still reach the page.
 */
export function onlyKnown<Search extends object>(
  parse: (given: Record<string, unknown>) => Search,
): (given: Record<string, unknown>) => Search {
  return (given) => ({ ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])), ...parse(given) })
}

export function parseApiKeysSearch({ dialog }: Record<string, unknown>): { dialog?: 'create' } {
  return dialog === 'create' ? { dialog } : {}
}

/** A page of this hub, and no other address. Browsers drop tabs and line ends, so that `/\t/` would be `//`. */
export function parseSignInSearch({ return_to }: Record<string, unknown>): { return_to?: string } {
  return typeof return_to === 'string' && /^\/(?![/\\])[^\t\n\r]*$/.test(return_to) ? { return_to } : {}
}

/** `invite` opens the form of an invitation. */
export function parseMembersSearch({ invite }: Record<string, unknown>): { invite?: true } {
  return invite === true ? { invite: true } : {}
}

/** `by`: how the person to erase is named. The person is not in the address, which browsers keep. */
export function parsePrivacySearch({ by }: Record<string, unknown>): { by?: 'user_id' } {
  return by === 'user_id' ? { by } : {}
}

export function parseTemplateSearch({ channel, q, open }: Record<string, unknown>): {
  channel?: string
  q?: string
  open?: string
} {
  return {
    ...(typeof channel === 'string' && { channel }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof open === 'string' && { open }),
  }
}

export function parseEditorSearch({ channel, edit }: Record<string, unknown>): { channel?: string; edit?: string } {
  return { ...(typeof channel === 'string' && { channel }), ...(typeof edit === 'string' && { edit }) }
}
