import { isIn, parseBlock, parseIp } from './ip.ts'

/**
 * IANA's special-purpose registry of IPv4. Whole blocks, even if the registry calls a part of one globally reachable: no
 * receiver of webhooks is in them.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network; Linux takes 0.0.0.0 for loopback
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; 100.100.100.200 is Alibaba's metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's wire server, in the middle of public space
  '169.254.0.0/16', // link-local, most metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; 192.0.0.192 is Oracle's older metadata service
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // automatic multicast tunnelling
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
].map(parseBlock)

/**
 * The only block of IPv6 with public addresses. Outside are loopback, unique-local, link-local and multicast addresses,
 * and IPv4 as mapped, compatible, translated (`::ffff:0:0:0/96`) and NAT64 addresses.
 */
const GLOBAL_IPV6 = parseBlock('2000::/3')

const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo (IPv4 within), benchmarking, AMT, AS112, ORCHID, drone ids
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 (IPv4 within)
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // 6bone, given back
  '3fff::/20', // documentation
].map(parseBlock)

/** Bytes 8 to 11 of an ISATAP address, which tunnels to the IPv4 address in its last four bytes under any prefix. */
const ISATAP = ['0,0,94,254', '2,0,94,254']

/**
 * Returns true if an address is a host of the public Internet, and false for a text that is not an address. One embedding cannot be
 * detected: a network-specific NAT64 prefix (RFC 6052) looks like any other public address.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parseIp(address)
  if (!ip) return false
  if (ip.kind() === 'ipv4') return !SPECIAL_IPV4.some((block) => isIn(ip, block))
  if (!isIn(ip, GLOBAL_IPV6) || SPECIAL_IPV6.some((block) => isIn(ip, block))) return false
  return !ISATAP.includes(ip.toByteArray().slice(8, 12).join())
}
