import type { Catalog } from '@hubline/locales/catalog.ts'
import { en as rolesEn } from '@hubline/locales/dashboard/role-names/en.ts'
import { es as rolesEs } from '@hubline/locales/dashboard/role-names/es.ts'
import { ptBR as rolesPtBR } from '@hubline/locales/dashboard/role-names/pt-BR.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/join/en.ts'
import { es } from '@hubline/locales/pages/join/es.ts'
import { ptBR } from '@hubline/locales/pages/join/pt-BR.ts'
import type { Role } from '../../../auth/scopes.ts'

export type JoinProblem = keyof (typeof en)['problems']

export const TRANSLATIONS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

export const ROLE_NAMES: Record<Language, Record<Role, string>> = { en: rolesEn, 'pt-BR': rolesPtBR, es: rolesEs }
