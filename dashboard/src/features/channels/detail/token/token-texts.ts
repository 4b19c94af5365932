import { defineTexts } from '../../../../lib/texts.ts'

export const useTokenTexts = defineTexts('channel-token')
