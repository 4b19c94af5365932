import ipaddr from 'ipaddr.js'
import type { Cidr } from './addresses.ts'
import { type Block, type Ip, isIn, parseBlock, parseIp } from './ip.ts'

/** Link-local and cloud metadata addresses: metadata services give credentials to any client. */
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
 * The layouts of an IPv4 address in an IPv6 address: the hexadecimal digits that identify the layout, the position of the
 * first of them, and the bytes of the IPv4 address.
 */
const EMBEDDINGS: readonly { mark: string; at: number; bytes: number[]; inverted?: true }[] = [
  { mark: '000000000000000000000000', at: 0, bytes: LAST_FOUR }, // compatible
  { mark: '00000000000000000000ffff', at: 0, bytes: LAST_FOUR }, // mapped
  { mark: '0000000000000000ffff0000', at: 0, bytes: LAST_FOUR }, // translated, RFC 2765
  { mark: '0064ff9b0000000000000000', at: 0, bytes: LAST_FOUR }, // NAT64
  { mark: '0064ff9b0001', at: 0, bytes: LAST_FOUR }, // local-use NAT64, in all prefix lengths of RFC 6052
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
 * Returns true if an address, or an IPv4 address embedded in it, is refused even if WEBHOOK_ALLOWED_DESTINATIONS contains it.
 * A text that is not an address is forbidden too: getaddrinfo may return `fe80::1%lo0`.
 */
export function isForbiddenAddress(address: string): boolean {
  const ip = parseIp(address)
  if (!ip) return true
  return [ip, ...listEmbedded(ip)].some((candidate) => FORBIDDEN.some((block) => isIn(candidate, block)))
}

/**
 * Returns true if every address of a block is forbidden. A block with other addresses is allowed; its forbidden addresses are
 * refused one by one by {@link isForbiddenAddress}. For IPv4 embedded in the last 32 bits, a prefix of `bits` is one of
 * `bits - 96` of the IPv4 address.
 */
export function isForbiddenBlock({ address, bits }: Cidr): boolean {
  const ip = parseIp(address)
  if (!ip) return true
  const blocks: Block[] = [[ip, bits], ...listEmbedded(ip).map((embedded): Block => [embedded, bits - 96])]
  return blocks.some(([start, prefix]) => FORBIDDEN.some((block) => prefix >= block[1] && isIn(start, block)))
}

function listEmbedded(ip: Ip): Ip[] {
  if (ip.kind() === 'ipv4') return []
  const bytes = Buffer.from(ip.toByteArray())
  const digits = bytes.toString('hex')
  return EMBEDDINGS.filter(({ mark, at }) => digits.startsWith(mark, at)).map(
    ({ bytes: positions, inverted }) =>
      new ipaddr.IPv4(positions.map((position) => bytes.readUInt8(position) ^ (inverted ? 0xff : 0))),
  )
}
