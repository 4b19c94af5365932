import { type Cidr, parseCidr } from './addresses.ts'
import { isForbiddenBlock } from './forbidden-address.ts'
import { isHostName } from './host-name.ts'

/** A destination that the operator allows although it is private, http or on another port. */
export type AllowedDestination = { port: number } & ({ host: string } | { cidr: Cidr })

/** Reads `host:port`, `CIDR:port` or `[IPv6]/bits:port`. */
export function parseAllowedDestination(entry: string): AllowedDestination | { problem: string } {
  const [, target, portText] = /^(.+):(\d{1,5})$/.exec(entry) ?? []
  const port = Number(portText)
  if (!target || port < 1 || port > 65_535) return { problem: 'is not of the form host:port or CIDR:port' }
  const cidr = parseCidr(target)
  if (!cidr)
    return isHostName(target.toLowerCase()) ? { host: target.toLowerCase(), port } : { problem: 'names no host' }
  if (isForbiddenBlock(cidr)) {
    return { problem: 'is a link-local or metadata address, which is never allowed' }
  }
  return { cidr, port }
}
