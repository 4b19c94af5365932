import { defineTexts } from '../../../lib/texts.ts'

export const useExportTexts = defineTexts('messages-export')
