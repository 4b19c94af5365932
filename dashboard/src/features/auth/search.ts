export type SignInSearch = { return_to?: string }

/** A page of this hub, and no other address. Browsers drop tabs and line ends, so that `/\t/` would be `//`. */
export function parseSignInSearch({ return_to }: Record<string, unknown>): SignInSearch {
  return typeof return_to === 'string' && /^\/(?![/\\])[^\t\n\r]*$/.test(return_to) ? { return_to } : {}
}
