import { defineTexts } from '../../lib/texts.ts'

export const usePrivacyTexts = defineTexts('privacy')
