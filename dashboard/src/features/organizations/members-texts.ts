import { defineTexts } from '../../lib/texts.ts'

export const useMembersTexts = defineTexts('members')
