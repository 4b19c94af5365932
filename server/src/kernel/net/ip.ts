import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Ip = ipaddr.IPv4 | ipaddr.IPv6

/** A block of addresses as ipaddr.js compares it. */
export type Block = readonly [Ip, number]

/**
 * Parses an address in its normal form. ipaddr.js alone also accepts `127.1` and `0x7f000001`, which no resolver returns
 * and no URL keeps. An address with a zone (`fe80::1%eth0`) is only valid on one link and is refused.
 */
export function parseIp(text: string): Ip | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : undefined
}

export function parseBlock(cidr: string): Block {
  return ipaddr.parseCIDR(cidr)
}

/** A block contains only addresses of its own family: `::/0` contains no IPv4, unlike in `net.BlockList`. */
export function isIn(ip: Ip, [address, bits]: Block): boolean {
  return ip.kind() === address.kind() && ip.match(address, bits)
}

/** The IPv4 address that is mapped into IPv6, as a socket for both families reports it; any other one as it is. */
export function toUnmapped(ip: Ip): Ip {
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip
}

const IPV6_SUBNET_BITS = 64

/**
 * The name under which limits count a client's address. One subscriber gets at least a /64 of IPv6, so a limit per
 * address would not limit them: a /64 counts as one client. An IPv4 address that is mapped into IPv6 counts as itself.
 */
export function toAddressKey(text: string | null): string {
  const ip = parseIp(text ?? '')
  if (ip === undefined) return text ?? ''
  if (!(ip instanceof ipaddr.IPv6)) return ip.toString()
  if (ip.isIPv4MappedAddress()) return toUnmapped(ip).toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${IPV6_SUBNET_BITS}`)}/${IPV6_SUBNET_BITS}`
}
