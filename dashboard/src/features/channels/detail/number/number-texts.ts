import { defineTexts } from '../../../../lib/texts.ts'

export const useNumberTexts = defineTexts('channel-number')
