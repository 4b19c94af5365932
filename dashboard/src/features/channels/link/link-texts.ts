import { defineTexts } from '../../../lib/texts.ts'

export const useLinkTexts = defineTexts('channels-link')
