import { defineTexts } from '../../../lib/texts.ts'

export const useCreateTexts = defineTexts('channels-create')
