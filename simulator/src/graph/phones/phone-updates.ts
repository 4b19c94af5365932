import { asText } from '../../json.ts'
import { requireCallback } from '../callbacks/callback.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { required } from '../http/errors.ts'
import { requireObject, requireText } from '../http/parameters.ts'
import { getNumberSettings } from './number-settings.ts'
import { parsePin } from './phones.ts'

/** Sets the PIN, or the callback of the number's webhooks, which is verified first. An empty address removes it. */
export const updatePhone: Endpoint<'phone'> = async (graph, { node: phone, params }) => {
  if (params.pin === undefined && params.webhook_configuration === undefined) throw required('pin')
  const pin = params.pin === undefined ? phone.pin : parsePin(params.pin)
  if (params.webhook_configuration !== undefined) {
    const configuration = requireObject(params, 'webhook_configuration')
    const path = "webhook_configuration['override_callback_uri']"
    if (typeof configuration.override_callback_uri !== 'string') throw required(path)
    const url = asText(configuration.override_callback_uri)
    if (url !== '') {
      const verifyToken = requireText(configuration, 'verify_token', 'webhook_configuration')
      await requireCallback({ url, path, verifyToken }, graph.random.digits(10), graph.app)
    }
    getNumberSettings(graph, phone).callbackUrl = url === '' ? undefined : url
  }
  phone.pin = pin
  return SUCCESS
}
