import { defineTexts } from '../lib/texts.ts'

/** What each kind of event means. */
export const useEventTexts = defineTexts('events')
