/** The sentence of each reason of an error. */
export const en = {} as const
