import { defineTexts } from '../../../lib/texts.ts'

export const useToolsTexts = defineTexts('developer-tools')
