import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Ip = ipaddr.IPv4 | ipaddr.IPv6

/** A block of addresses as ipaddr.js compares it. */
export type Block = readonly [Ip, number]

/**
 * Reads an address in its plain form. ipaddr.js alone also reads `127.1` and `0x7f000001`, which no resolver returns and
 * no URL keeps; an address with a zone (`fe80::1%eth0`) only means something on one link and is none here.
 */
export function parseIp(text: string): Ip | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : undefined
}

export function parseBlock(cidr: string): Block {
  return ipaddr.parseCIDR(cidr)
}

/** A block holds addresses of its own family only: `::/0` says nothing about IPv4, unlike in `net.BlockList`. */
export function isIn(ip: Ip, [address, bits]: Block): boolean {
  return ip.kind() === address.kind() && ip.match(address, bits)
}
