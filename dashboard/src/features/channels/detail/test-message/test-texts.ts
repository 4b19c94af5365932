import { defineTexts } from '../../../../lib/texts.ts'

export const useTestTexts = defineTexts('channel-test')
