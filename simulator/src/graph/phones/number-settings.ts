import type { Graph } from '../context.ts'
import type { NumberSettings, Phone } from '../model.ts'

/** The settings of a number, which begin empty. */
export function getNumberSettings({ state }: Pick<Graph, 'state'>, phone: Phone): NumberSettings {
  const known = state.numberSettings.get(phone.id)
  if (known) return known
  const settings: NumberSettings = {
    blocked: new Set(),
    qrCodes: new Map(),
    automation: { enable_welcome_message: false, prompts: [], commands: [], id: phone.id },
    commerce: { is_cart_enabled: true, is_catalog_visible: false },
    publicKey: undefined,
    username: undefined,
    calling: {},
    callbackUrl: undefined,
  }
  state.numberSettings.set(phone.id, settings)
  return settings
}
