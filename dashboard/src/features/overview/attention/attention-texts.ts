import { defineTexts } from '../../../lib/texts.ts'

export const useAttentionTexts = defineTexts('overview-attention')
