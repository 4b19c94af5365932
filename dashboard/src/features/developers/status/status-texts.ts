import { defineTexts } from '../../../lib/texts.ts'

export const useStatusTabTexts = defineTexts('hub-status')
