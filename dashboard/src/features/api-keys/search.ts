export type ApiKeysSearch = { dialog?: 'create' }

export function parseApiKeysSearch({ dialog }: Record<string, unknown>): ApiKeysSearch {
  return dialog === 'create' ? { dialog } : {}
}
