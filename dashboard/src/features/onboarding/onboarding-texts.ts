import { defineTexts } from '../../lib/texts.ts'

export const useOnboardingTexts = defineTexts('onboarding')
