import { defineTexts } from '../../../lib/texts.ts'

export const useSettingsTexts = defineTexts('settings')
