import { ROUTES, SCOPES } from '../../api/generated/routes.gen.ts'

export type KeyScope = (typeof SCOPES)[number]

export const PRESETS = ['send', 'read', 'webhooks', 'full', 'custom'] as const
type Preset = (typeof PRESETS)[number]

const SEND: readonly KeyScope[] = ['messages:send', 'media:write', 'templates:read']
const WEBHOOKS: readonly KeyScope[] = ['webhooks:read', 'webhooks:write']

/** The scopes of a preset, of those that a person may grant. */
export function listPreset(preset: Exclude<Preset, 'custom'>, granted: readonly KeyScope[]): KeyScope[] {
  const wanted = { send: SEND, read: SCOPES.filter(isReading), webhooks: WEBHOOKS, full: SCOPES }[preset]
  return granted.filter((scope) => wanted.includes(scope))
}

/** The preset that these scopes are, if any. */
export function findPreset(chosen: readonly KeyScope[], granted: readonly KeyScope[]): Preset {
  const same = (['send', 'read', 'webhooks', 'full'] as const).find(
    (preset) => listPreset(preset, granted).join() === granted.filter((scope) => chosen.includes(scope)).join(),
  )
  return same ?? 'custom'
}

function isReading(scope: KeyScope): boolean {
  return scope.endsWith(':read')
}

type Resource = { name: string; read: KeyScope | undefined; write: KeyScope | undefined }

/** The scopes by resource: `messages:send` is the write of messages. */
export const RESOURCES: readonly Resource[] = [...new Set(SCOPES.map((scope) => scope.split(':')[0] ?? ''))].map(
  (name) => {
    const own = SCOPES.filter((scope) => scope.startsWith(`${name}:`))
    return { name, read: own.find(isReading), write: own.find((scope) => !isReading(scope)) }
  },
)

/** Lists the operations that a key with these scopes may call. */
export function listRoutes(chosen: readonly string[]) {
  return ROUTES.filter(({ scopes }) => scopes.every((scope) => chosen.includes(scope)))
}
