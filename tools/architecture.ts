import { basename, posix } from 'node:path'
import { sourceRules } from './source-rules.ts'
import { isTest, readSources, type Source } from './sources.ts'

/**
 * The house from the ground up. A room is a folder of `server/src`; it may import rooms of lower storeys only, and two
 * rooms on one storey do not know each other. A new room is added here, on the lowest storey above all that it needs.
 */
const STOREYS: readonly (readonly string[])[] = [
  ['kernel'],
  ['upstream', 'payments'],
  ['domains/audit', 'domains/events'],
  ['domains/auth'],
  ['domains/organizations'],
  ['domains/api-keys', 'domains/billing'],
  ['domains/webhooks', 'domains/connect-links'],
  ['domains/channels'],
  ['domains/media', 'domains/templates'],
  ['domains/messages'],
  ['domains/onboarding', 'domains/inbound', 'domains/facade'],
  ['app'],
  ['bin'],
]

const WORKSPACES = ['server', 'simulator', 'sdk', 'cli', 'dashboard']

/** The only imports of one workspace by another, always by the package's name. The simulator may contradict the server. */
const PACKAGE_IMPORTS: readonly { under: string; package: string }[] = [
  { under: 'cli/', package: '@hubline/sdk' },
  { under: 'dashboard/', package: '@hubline/sdk' },
  { under: 'server/src/app/', package: '@hubline/simulator' },
  { under: 'server/src/bin/', package: '@hubline/simulator' },
]
const PACKAGE_IMPORTS_OF_TESTS: typeof PACKAGE_IMPORTS = [{ under: 'server/', package: '@hubline/simulator' }]

type Kind = 'routes' | 'schemas' | 'service' | 'store' | 'jobs' | 'rule'

/** What a file of a domain must not import, by kind: routes call the service, the service calls the store, never back. */
const FORBIDDEN_KINDS: Record<Kind, readonly Kind[]> = {
  routes: ['store'],
  jobs: [],
  service: [],
  store: ['service', 'jobs'],
  schemas: ['service', 'store', 'jobs'],
  rule: ['service', 'store', 'jobs'],
}

const HOUSE = 'server/src/'

/** Every breach of the house's rules, read from the sources as they stand, one sentence each. */
export function checkArchitecture(root: string): string[] {
  const sources = readSources(root, [...WORKSPACES, 'tools'])
  return [...unknownRooms(sources), ...sources.flatMap((source) => [...importRules(source), ...sourceRules(source)])]
}

function unknownRooms(sources: Source[]): string[] {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== undefined))
  return [...rooms]
    .filter((room) => storeyOf(room) < 0)
    .map((room) => `${HOUSE}${room} is no room of the house: add it to STOREYS in tools/architecture.ts.`)
}

function importRules(source: Source): string[] {
  const inHouse = source.path.startsWith(HOUSE) && !isTest(source.path)
  return source.imports.flatMap(({ specifier, line }) => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : undefined
    const breaches = [
      target === undefined ? packageBreach(source.path, specifier) : workspaceBreach(source.path, target),
      ...(inHouse && target !== undefined ? houseBreaches(source.path, target) : []),
    ]
    return breaches
      .filter((breach) => breach !== undefined)
      .map((breach) => `${source.path}:${line} imports ${specifier}, but ${breach}.`)
  })
}

function packageBreach(path: string, specifier: string): string | undefined {
  if (/^(?:[#/]|file:)/.test(specifier)) return 'an import of our own code is a relative path'
  if (!specifier.startsWith('@hubline/')) return undefined

  const allowed = isTest(path) ? [...PACKAGE_IMPORTS, ...PACKAGE_IMPORTS_OF_TESTS] : PACKAGE_IMPORTS
  const isAllowed = allowed.some(
    (rule) => path.startsWith(rule.under) && `${specifier}/`.startsWith(`${rule.package}/`),
  )
  return isAllowed ? undefined : 'PACKAGE_IMPORTS in tools/architecture.ts does not let it in here'
}

function workspaceBreach(path: string, target: string): string | undefined {
  const workspace = WORKSPACES.find((name) => path.startsWith(`${name}/`))
  if (workspace === undefined || target.startsWith(`${workspace}/`)) return undefined
  return `a relative import stays inside its workspace, ${workspace}`
}

function houseBreaches(path: string, target: string): (string | undefined)[] {
  const room = roomOf(path)
  const targetRoom = roomOf(target)
  if (room === undefined) return []
  if (targetRoom === undefined) return [`the house knows nothing outside ${HOUSE.slice(0, -1)}`]
  if (isTest(target)) return ['what serves tests is for tests alone']
  return [
    directionBreach(room, targetRoom),
    routesBreach(room, target),
    storeBreach(room, target, targetRoom),
    kindBreach(path, room, target, targetRoom),
  ]
}

function directionBreach(room: string, targetRoom: string): string | undefined {
  const [storey, targetStorey] = [storeyOf(room), storeyOf(targetRoom)]
  if (room === targetRoom || storey < 0 || targetStorey < 0 || storey > targetStorey) return undefined
  if (storey === targetStorey) return `${room} and ${targetRoom} share a storey and do not know each other`
  return `imports only go down, and ${targetRoom} lies above ${room}`
}

function routesBreach(room: string, target: string): string | undefined {
  return kindOf(target) === 'routes' && room !== 'app' ? 'only app/ imports routes' : undefined
}

function storeBreach(room: string, target: string, targetRoom: string): string | undefined {
  const isPrivate = kindOf(target) === 'store' && targetRoom.startsWith('domains/') && room !== targetRoom
  return isPrivate ? `a store is private to its domain, ${targetRoom}` : undefined
}

function kindBreach(path: string, room: string, target: string, targetRoom: string): string | undefined {
  if (!room.startsWith('domains/')) return undefined
  const [kind, targetKind] = [kindOf(path), kindOf(target)]
  // The store of another domain is already refused to every kind, so it is not reported twice.
  const isReported = targetKind === 'store' && targetRoom !== room && targetRoom.startsWith('domains/')
  if (isReported || !FORBIDDEN_KINDS[kind].includes(targetKind)) return undefined
  return kind === 'rule' ? `a rule file imports no ${targetKind}` : `${kind} never imports ${targetKind}`
}

function roomOf(path: string): string | undefined {
  if (!path.startsWith(HOUSE)) return undefined
  const [first = '', second] = path.slice(HOUSE.length).split('/')
  return first === 'domains' && second !== undefined ? `${first}/${second}` : first
}

function storeyOf(room: string): number {
  return STOREYS.findIndex((rooms) => rooms.includes(room))
}

function kindOf(path: string): Kind {
  const found = /(?:^|-)(routes|schemas|service|store|jobs)\.ts$/.exec(basename(path))
  return (found?.[1] as Kind | undefined) ?? 'rule'
}
