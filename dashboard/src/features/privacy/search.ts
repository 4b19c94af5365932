/** `by`: how the person to erase is named. The person is not in the address, which browsers keep. */
export type PrivacySearch = { by?: 'user_id' }

export function parsePrivacySearch({ by }: Record<string, unknown>): PrivacySearch {
  return by === 'user_id' ? { by } : {}
}
