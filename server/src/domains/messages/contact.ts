/** The upstream's details of a person. The optional members are present if the upstream gave them. */
export type Contact = {
  name: string | null
  user_id: string | null
  parent_user_id?: string
  username?: string
  /** The number as the upstream writes it, which may differ from `from` or `to` by a digit. */
  wa_id?: string
  /** Changes when the person's identity key does. */
  identity_key_hash?: string
}

const OPTIONAL_MEMBERS = ['parent_user_id', 'username', 'wa_id', 'identity_key_hash'] as const

type Members = { [Name in keyof Contact]?: string | null | undefined }

export function toContact(members: Members): Contact {
  const contact: Contact = { name: members.name ?? null, user_id: members.user_id ?? null }
  for (const name of OPTIONAL_MEMBERS) {
    const text = members[name]
    if (text !== undefined && text !== null) contact[name] = text
  }
  return contact
}

/** Merges what several callbacks report of a contact; each may have only a part. */
export function mergeContacts(a: Contact | null, b: Contact | null): Contact | null {
  if (!a || !b) return a ?? b
  return toContact({ ...b, ...a, name: a.name ?? b.name, user_id: a.user_id ?? b.user_id })
}
