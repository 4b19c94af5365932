/** The outcomes of deregistering a deleted channel's number, with their values in API responses. */
export const DEREGISTRATION_VALUES = {
  done: 'feito',
  failed: 'falhou',
  'not-requested': 'nao-solicitado',
  'no-number': 'sem-numero',
  'no-credential': 'sem-credencial',
} as const

export type Deregistration = keyof typeof DEREGISTRATION_VALUES
