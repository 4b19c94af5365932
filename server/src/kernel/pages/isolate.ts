const BIDI_CONTROLS = /\p{Bidi_Control}/gu
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * A name that people have chosen, for a sentence of the hub. It loses the characters that change the direction of a text,
 * and one that is written from right to left is isolated, so that it cannot reorder the words around it.
 */
export function isolateName(name: string): string {
  const plain = name.replace(BIDI_CONTROLS, '')
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain
}
