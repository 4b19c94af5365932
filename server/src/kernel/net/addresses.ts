import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

export type Cidr = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

export function isLoopbackAddress(address: string): boolean {
  const family = findAddressFamily(address)
  return family !== undefined && LOOPBACK.check(address, family)
}

/** A host name as it stands in a URL, brackets around IPv6 included. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || isLoopbackAddress(bare)
}

/** The name in a Host header, without its port; undefined if it is none. */
export function readHostName(header: string): string | undefined {
  const url = URL.parse(`http://${header}`)
  return url && url.host !== '' && url.pathname === '/' && url.username === '' ? getHostName(url) : undefined
}

/** The name of a URL's host, without the dot of the root: `hub.example.` and `hub.example` are one host. */
export function getHostName({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

/** `10.0.0.0/8`, `fd00::/8`, `[fd00::]/8`, or a single address. */
export function parseCidr(text: string): Cidr | undefined {
  const [, bracketed, plain, bits] = /^(?:\[([^\]]+)\]|([^/\]]+))(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  const family = findAddressFamily(address)
  if (!family) return undefined
  const width = family === 'ipv4' ? 32 : 128
  const prefix = bits === undefined ? width : Number(bits)
  return prefix <= width ? { address, bits: prefix, family } : undefined
}

export function findAddressFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined
}

/** An address of http or https without path, query and credentials, as an origin. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined
}
