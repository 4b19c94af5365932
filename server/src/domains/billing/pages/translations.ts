import type { Catalog } from '@hubline/locales/catalog.ts'
import { en as pricesEn } from '@hubline/locales/dashboard/billing/en.ts'
import { es as pricesEs } from '@hubline/locales/dashboard/billing/es.ts'
import { ptBR as pricesPtBR } from '@hubline/locales/dashboard/billing/pt-BR.ts'
import { en as plansEn } from '@hubline/locales/dashboard/plan-names/en.ts'
import { es as plansEs } from '@hubline/locales/dashboard/plan-names/es.ts'
import { ptBR as plansPtBR } from '@hubline/locales/dashboard/plan-names/pt-BR.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/billing/en.ts'
import { es } from '@hubline/locales/pages/billing/es.ts'
import { ptBR } from '@hubline/locales/pages/billing/pt-BR.ts'
import type { Plan } from '../plans/plans.ts'

export const TRANSLATIONS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

export const PLAN_NAMES: Record<Language, Record<Plan, string>> = { en: plansEn, 'pt-BR': plansPtBR, es: plansEs }

/** Prices with their interval, in the words of the dashboard. */
export const PRICE_TEXTS: Record<Language, Catalog<typeof pricesEn>> = {
  en: pricesEn,
  'pt-BR': pricesPtBR,
  es: pricesEs,
}
