/** Letters that are written from right to left, and characters that change the direction of what follows. */
const CHANGES_DIRECTION =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_Control}]/u

/** A text of a customer that does not reorder the sentence around it. Other texts stay as they are. */
export function isolate(text: string): string {
  return CHANGES_DIRECTION.test(text) ? `\u2068${text}\u2069` : text
}
