import { defineTexts } from '../lib/texts.ts'
import type { ROLES } from './generated/definitions.gen.ts'

/** The roles as people call them. */
export const useRoleName = defineTexts(
  'role-names',
  { viewer: 'Viewer', developer: 'Developer', admin: 'Admin', owner: 'Owner' } satisfies Record<
    (typeof ROLES)[number],
    string
  >,
  { viewer: 'Leitura', developer: 'Desenvolvimento', admin: 'Administração', owner: 'Titular' },
)
