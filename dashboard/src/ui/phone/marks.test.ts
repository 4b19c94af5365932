import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitMarks } from './marks.ts'

/** Each marked part by its mark, and what is not marked as it is. */
function sketch(text: string): string {
  return splitMarks(text)
    .map((part) => (part.mark === undefined ? part.text : `<${part.mark}:${part.text}>`))
    .join('')
}

test('marked words are shown without their marks', () => {
  const rows = [
    ['*Olá*, _Bia_! ~R$ 10~ `A1`', '<bold:Olá>, <italic:Bia>! <struck:R$ 10> <code:A1>'],
    ['(*a b*)', '(<bold:a b>)'],
    ['*a* e *b*', '<bold:a> e <bold:b>'],
    ['', ''],
  ] as const
  for (const [text, shown] of rows) assert.equal(sketch(text), shown)
})

test('signs that mark nothing stay', () => {
  const texts = ['2 * 3 * 4', '* a *', '*a\nb*', 'a_', '**', '``', 'R$ ~10']
  for (const text of texts) assert.equal(sketch(text), text)
})

test('signs within a word are no marks, so that names and links stay whole', () => {
  const texts = [
    'order_ready_now',
    'https://loja.example/meu_pedido_novo?a=1',
    '2*3*4',
    'é_ç_ã',
    'a~b~c',
    'a_b_ c',
    'a _b_c',
  ]
  for (const text of texts) assert.equal(sketch(text), text)
})
