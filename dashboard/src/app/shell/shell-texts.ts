import { defineTexts } from '../../lib/texts.ts'

export const useShellTexts = defineTexts('shell')
