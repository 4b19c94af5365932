import type { RouteOptions } from 'fastify'
import { isSafeMethod } from '../../domains/auth/origin.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import type { Access } from '../http/access-rules.ts'

/** Codes of the connection, the address, the headers, the database, and faults of the hub. */
const ANY: ErrorCode[] = [
  'INVALID_REQUEST',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'NOT_READY',
  'OVERLOADED',
]

/** Codes of any body, also if the route takes none. */
const WITH_BODY: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** With any credential; `X-Hub-Organization` may name an organization that is not there. */
const WITH_CREDENTIAL: ErrorCode[] = ['UNAUTHORIZED', 'RATE_LIMITED', 'NOT_FOUND']

/** Every code that an operation can answer: those that its route declares, and those of its access rule and its request. */
export function listErrorCodes({ method, url, schema, config }: RouteOptions): ErrorCode[] {
  // Its errors are Meta's.
  if (url === '/graph/*') return []
  const isSafe = isSafeMethod(String(method))
  const codes: ErrorCode[] = [...ANY, ...listAccessCodes(config?.access, isSafe), ...(schema?.errors ?? [])]
  if (!isSafe) codes.push(...WITH_BODY)
  if (url.includes(':')) codes.push('NOT_FOUND')
  return [...new Set(codes)].sort()
}

function listAccessCodes(access: Access | undefined, isSafe: boolean): ErrorCode[] {
  if (!access || 'callback' in access) return []
  const origin: ErrorCode[] = isSafe && !('isDownload' in access) ? [] : ['ORIGIN_NOT_ALLOWED']
  if ('public' in access) {
    return [...(access.public === 'unlimited' ? [] : (['RATE_LIMITED'] as const)), ...(access.anyOrigin ? [] : origin)]
  }
  if ('facade' in access) return [...WITH_CREDENTIAL, 'INSUFFICIENT_SCOPE']
  // Every member is a viewer.
  const role: ErrorCode[] = 'session' in access && access.session === 'viewer' ? [] : ['INSUFFICIENT_SCOPE']
  const secondFactor: ErrorCode[] = 'isPersonal' in access ? [] : ['TWO_FACTOR_REQUIRED']
  return [...WITH_CREDENTIAL, ...origin, ...role, ...secondFactor]
}
