import { defineTexts } from '../../../lib/texts.ts'

export const useEventsTexts = defineTexts('event-catalog')
