import { defineTexts } from '../lib/texts.ts'

export const useUiTexts = defineTexts('ui')
