import { defineTexts } from '../lib/texts.ts'
import type { PLANS } from './generated/definitions.gen.ts'

/** The plans as people call them. */
export const usePlanName = defineTexts(
  'plan-names',
  { free: 'Free', starter: 'Starter', pro: 'Pro' } satisfies Record<keyof typeof PLANS, string>,
  { free: 'Gratuito', starter: 'Starter', pro: 'Pro' },
)
