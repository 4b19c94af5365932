/** How the deregistration of a deleted channel's number ended, and the word for it on the wire. */
export const DEREGISTRATION_WORDS = {
  done: 'feito',
  failed: 'falhou',
  'not-requested': 'nao-solicitado',
  'no-number': 'sem-numero',
  'no-credential': 'sem-credencial',
} as const

export type Deregistration = keyof typeof DEREGISTRATION_WORDS
