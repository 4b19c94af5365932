import ipaddr from 'ipaddr.js'
import type { Cidr } from './addresses.ts'
import { type Block, type Ip, isIn, parseBlock, parseIp } from './ip.ts'

/** Link-local and cloud metadata addresses give credentials to any client, so no operator means to allow them. */
const FORBIDDEN = [
  '169.254.0.0/16',
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle, the older
  'fe80::/10',
  'fd00:ec2::/32', // Amazon: instance metadata at ::254, credentials of pods at ::23
  'fd20:ce::254/128', // Google
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:42::42/128', // Scaleway
].map(parseBlock)

const LAST_FOUR = [12, 13, 14, 15]

/**
 * Where an IPv6 address carries an IPv4 one: hexadecimal digits that mark it, the place of the first of them, and the
 * bytes to read, a row for each layout.
 */
const EMBEDDINGS: readonly { mark: string; at: number; bytes: number[]; inverted?: true }[] = [
  { mark: '000000000000000000000000', at: 0, bytes: LAST_FOUR }, // compatible
  { mark: '00000000000000000000ffff', at: 0, bytes: LAST_FOUR }, // mapped
  { mark: '0000000000000000ffff0000', at: 0, bytes: LAST_FOUR }, // translated, RFC 2765
  { mark: '0064ff9b0000000000000000', at: 0, bytes: LAST_FOUR }, // NAT64
  { mark: '0064ff9b0001', at: 0, bytes: LAST_FOUR }, // NAT64 of local use, cut in any way of RFC 6052
  { mark: '0064ff9b0001', at: 0, bytes: [6, 7, 9, 10] },
  { mark: '0064ff9b0001', at: 0, bytes: [7, 9, 10, 11] },
  { mark: '0064ff9b0001', at: 0, bytes: [9, 10, 11, 12] },
  { mark: '2002', at: 0, bytes: [2, 3, 4, 5] }, // 6to4
  { mark: '20010000', at: 0, bytes: [4, 5, 6, 7] }, // Teredo, the server
  { mark: '20010000', at: 0, bytes: LAST_FOUR, inverted: true }, // Teredo, the client
  { mark: '00005efe', at: 16, bytes: LAST_FOUR }, // ISATAP, under any prefix
  { mark: '02005efe', at: 16, bytes: LAST_FOUR },
]

/**
 * Whether not even WEBHOOK_ALLOWED_DESTINATIONS opens an address, for what it is or for what it carries. What cannot be
 * read counts as forbidden: getaddrinfo may return `fe80::1%lo0`.
 */
export function isForbiddenAddress(address: string): boolean {
  const ip = parseIp(address)
  if (!ip) return true
  return [ip, ...carriedBy(ip)].some((one) => FORBIDDEN.some((block) => isIn(one, block)))
}

/**
 * Whether every address of a block is forbidden; a wider block may be allowed, without those of its addresses. Of a carried
 * address the first `bits - 96` bits are fixed where it stands last, and more of them where it stands further left.
 */
export function isForbiddenBlock({ address, bits }: Cidr): boolean {
  const ip = parseIp(address)
  if (!ip) return true
  const all: Block[] = [[ip, bits], ...carriedBy(ip).map((one): Block => [one, bits - 96])]
  return all.some(([one, width]) => FORBIDDEN.some((block) => width >= block[1] && isIn(one, block)))
}

function carriedBy(ip: Ip): Ip[] {
  if (ip.kind() === 'ipv4') return []
  const bytes = Buffer.from(ip.toByteArray())
  const digits = bytes.toString('hex')
  return EMBEDDINGS.filter(({ mark, at }) => digits.startsWith(mark, at)).map(
    ({ bytes: places, inverted }) =>
      new ipaddr.IPv4(places.map((place) => bytes.readUInt8(place) ^ (inverted ? 0xff : 0))),
  )
}
