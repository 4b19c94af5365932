import { defineTexts } from '../lib/texts.ts'

/** Explains each kind of event. */
export const useEventTexts = defineTexts('events')
