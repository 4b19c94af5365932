import { defineTexts } from '../lib/texts.ts'

/** The roles as people call them. */
export const useRoleName = defineTexts('role-names')
