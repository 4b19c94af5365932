import { defineTexts } from '../lib/texts.ts'

/** The roles as people call them. */
export const useRoleName = defineTexts(
  'role-names',
  { viewer: 'Viewer', developer: 'Developer', admin: 'Admin', owner: 'Owner' },
  { viewer: 'Leitura', developer: 'Desenvolvimento', admin: 'Administração', owner: 'Titular' },
)
