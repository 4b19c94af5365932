import { defineTexts } from '../../lib/texts.ts'

export const useApiKeysTexts = defineTexts('api-keys')
