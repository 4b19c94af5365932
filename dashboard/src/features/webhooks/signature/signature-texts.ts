import { defineTexts } from '../../../lib/texts.ts'

export const useSignatureTexts = defineTexts('signature')
