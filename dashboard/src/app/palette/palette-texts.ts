import { defineTexts } from '../../lib/texts.ts'

export const usePaletteTexts = defineTexts('palette')
