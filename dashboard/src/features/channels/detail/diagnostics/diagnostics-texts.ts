import { defineTexts } from '../../../../lib/texts.ts'

export const useDiagnosticsTexts = defineTexts('channel-diagnostics')
