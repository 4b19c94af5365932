import type { MessageBody } from '@hubline/sdk/console'
import type { Translate } from '../../../lib/texts.ts'

export const ANSWER_TYPES = ['text', 'buttons', 'list'] as const
export type AnswerType = (typeof ANSWER_TYPES)[number]

type Words = 'yes' | 'no' | 'choose' | 'options' | 'option.one' | 'option.two' | 'option.three'

/** The message that the answer box sends. Buttons and rows are samples. */
export function buildAnswer(type: AnswerType, to: string, text: string, t: Translate<Words>): MessageBody {
  if (type === 'text') return { to, type: 'text', text: { body: text } }
  if (type === 'buttons') {
    const buttons = (['yes', 'no'] as const).map((id) => ({ type: 'reply' as const, reply: { id, title: t(id) } }))
    return { to, type: 'interactive', interactive: { type: 'button', body: { text }, action: { buttons } } }
  }
  const rows = (['one', 'two', 'three'] as const).map((id) => ({ id, title: t(`option.${id}`) }))
  const action = { button: t('choose'), sections: [{ title: t('options'), rows }] }
  return { to, type: 'interactive', interactive: { type: 'list', body: { text }, action } }
}
