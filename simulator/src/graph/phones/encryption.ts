import { createPublicKey } from 'node:crypto'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { invalid } from '../http/errors.ts'
import { requireText } from '../http/parameters.ts'
import { getNumberSettings } from './number-settings.ts'

const KEY_BITS = 2_048

export const getPublicKey: Endpoint<'phone'> = (graph, { node: phone }) => {
  const { publicKey } = getNumberSettings(graph, phone)
  if (publicKey === undefined) return { data: [] }
  return { data: [{ business_public_key: publicKey, business_public_key_signature_status: 'VALID' }] }
}

export const setPublicKey: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const pem = requireText(params, 'business_public_key', '')
  if (!isPublicKey(pem)) throw invalid(`Param business_public_key must be an RSA key of ${KEY_BITS} bits in PEM.`)
  getNumberSettings(graph, phone).publicKey = pem
  return SUCCESS
}

/** A private key would be accepted as the public key that it contains, so its PEM is refused by its label. */
function isPublicKey(pem: string): boolean {
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return false
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === KEY_BITS
  } catch {
    // The text is not the PEM of a key.
    return false
  }
}
