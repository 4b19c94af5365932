import { defineTexts } from '../../../lib/texts.ts'

export const useEditTexts = defineTexts('webhooks-edit')
