import { defineTexts } from '../../../../lib/texts.ts'

export const useDangerTexts = defineTexts('channel-danger')
