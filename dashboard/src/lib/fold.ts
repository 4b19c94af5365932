/** Without accents and case: `farmacia` finds `Farmácia`. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
