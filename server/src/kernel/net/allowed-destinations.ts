import { BlockList } from 'node:net'
import { type Cidr, parseCidr } from './addresses.ts'

/** A destination that an operator trusts although it is private, http or on another port. */
export type AllowedDestination = { port: number } & ({ host: string } | { cidr: Cidr })

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** Cloud metadata and link-local addresses hand out credentials to whoever asks: no operator means to allow them. */
const NEVER: readonly Cidr[] = [
  { address: '169.254.0.0', bits: 16, family: 'ipv4' },
  { address: '168.63.129.16', bits: 32, family: 'ipv4' },
  { address: '100.100.100.200', bits: 32, family: 'ipv4' },
  { address: 'fe80::', bits: 10, family: 'ipv6' },
  { address: 'fd00:ec2::254', bits: 128, family: 'ipv6' },
]

/** Reads `host:port`, `CIDR:port` or `[IPv6]/bits:port`. */
export function parseAllowedDestination(entry: string): AllowedDestination | { problem: string } {
  const [, target, portText] = /^(.+):(\d{1,5})$/.exec(entry) ?? []
  const port = Number(portText)
  if (!target || port < 1 || port > 65_535) return { problem: 'is not of the form host:port or CIDR:port' }
  const cidr = parseCidr(target)
  if (!cidr)
    return HOST.test(target.toLowerCase()) ? { host: target.toLowerCase(), port } : { problem: 'names no host' }
  if (NEVER.some((block) => contains(cidr, block) && cidr.bits >= block.bits)) {
    return { problem: 'is a link-local or metadata address, which is never allowed' }
  }
  return { cidr, port }
}

/** Whether the narrower of the two blocks lies in the wider. */
function contains(a: Cidr, b: Cidr): boolean {
  if (a.family !== b.family) return false
  const [wide, narrow] = a.bits <= b.bits ? [a, b] : [b, a]
  const list = new BlockList()
  list.addSubnet(wide.address, wide.bits, wide.family)
  return list.check(narrow.address, narrow.family)
}
