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
