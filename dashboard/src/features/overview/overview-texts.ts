import { defineTexts } from '../../lib/texts.ts'

export const useOverviewTexts = defineTexts('overview')
