import type { Catalog } from '@hubline/locales/catalog.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/sign-up/en.ts'
import { es } from '@hubline/locales/pages/sign-up/es.ts'
import { ptBR } from '@hubline/locales/pages/sign-up/pt-BR.ts'

export const TRANSLATIONS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }
