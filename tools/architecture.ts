import { basename, posix } from 'node:path'
import { checkSource, checkSourceStyle, findExportedFunctions } from './source-rules.ts'
import { type Import, isTest, readSources, type Source } from './sources.ts'

/**
 * The layers of the server from the bottom up. A module is a folder of `server/src`; it imports modules of lower layers
 * only, and two modules of one layer do not import each other. A new module goes into the lowest layer above all that it
 * needs.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['kernel'],
  ['upstream', 'payments', 'mail'],
  ['domains/audit', 'domains/events', 'domains/hold'],
  ['domains/auth'],
  ['domains/organizations', 'domains/live-updates'],
  ['domains/alerts', 'domains/api-keys', 'domains/billing', 'domains/statistics'],
  ['domains/webhooks', 'domains/connect-links'],
  ['domains/channels'],
  ['domains/media', 'domains/numbers', 'domains/templates', 'domains/costs'],
  ['domains/messages'],
  ['domains/onboarding', 'domains/inbound', 'domains/facade', 'domains/overview'],
  ['domains/request-log'],
  ['domains/sandbox', 'domains/privacy'],
  ['domains/offboarding'],
  ['app'],
  ['bin'],
]

const WORKSPACES = ['server', 'simulator', 'sdk', 'cli', 'dashboard', 'locales', 'bench']

/** The only imports of one workspace by another, always by the package's name. The simulator may contradict the server. */
const PACKAGE_IMPORTS: readonly { under: string; package: string }[] = [
  { under: 'cli/', package: '@hubline/sdk' },
  { under: 'dashboard/', package: '@hubline/sdk' },
  { under: 'tools/demo/', package: '@hubline/sdk' },
  { under: 'tools/packages/', package: '@hubline/sdk' },
  { under: 'tools/guides/', package: '@hubline/sdk' },
  { under: 'dashboard/', package: '@hubline/locales' },
  { under: 'server/', package: '@hubline/locales' },
  { under: 'simulator/', package: '@hubline/locales' },
  { under: 'tools/', package: '@hubline/locales' },
  { under: 'bench/', package: '@hubline/simulator' },
  { under: 'tools/torture/', package: '@hubline/simulator' },
  { under: 'server/src/app/', package: '@hubline/simulator' },
  { under: 'server/src/bin/', package: '@hubline/simulator' },
]
const PACKAGE_IMPORTS_OF_TESTS: typeof PACKAGE_IMPORTS = [{ under: 'server/', package: '@hubline/simulator' }]

/** The tests of a client run it against a real hub, which the helpers of the server's tests start. */
const CLIENTS = ['sdk', 'cli']
const TESTS_OF_SERVER = 'server/test/'

/** The benchmarks run parts of the server, and the certificates and keys of its tests. */
const BENCHMARKS = 'bench'
const SOURCES_OF_SERVER = /^server\/(?:src|test)\//

/** The layers of the dashboard from the bottom up. Two features do not import each other. */
const DASHBOARD = 'dashboard/src/'
const DASHBOARD_LAYERS: readonly string[] = ['lib', 'live', 'ui', 'api', 'features', 'app', 'main.tsx']

/** This file writes the package of a workspace. */
const BUILD = /^[a-z]+\/build\.ts$/
const COMPILER = 'tools/packages/'

const FOR_TESTS_ALONE = 'what serves tests is for tests alone'

const SDK = 'sdk/src/'
const LOCALES = 'locales/'
const SERVER = 'server/src/'

type Kind = 'routes' | 'schemas' | 'service' | 'store' | 'jobs' | 'other'

/**
 * The kinds that a file of a domain must not import at run time, by its own kind: routes call the service, the service calls the store,
 * never back. Types may come from anywhere in the domain. A file of the kind `other` is a rule or a part of its folder's
 * service, named after what it is.
 */
const FORBIDDEN_KINDS: Record<Kind, readonly Kind[]> = {
  routes: ['store'],
  jobs: [],
  service: ['jobs'],
  store: ['service', 'jobs'],
  schemas: ['service', 'store', 'jobs'],
  other: ['service', 'jobs'],
}

/** Every breach of the rules in the sources as they stand, one sentence each. */
export function checkArchitecture(root: string): string[] {
  const sources = readSources(root, [...WORKSPACES, 'tools'])
  return [...checkModules(sources), ...sources.flatMap((source) => [...checkImports(source), ...checkSource(source)])]
}

/** Rules that keep names and imports readable. */
export function checkStyle(root: string): string[] {
  const sources = readSources(root, [...WORKSPACES, 'tools'])
  return [
    ...checkFileNames(sources),
    ...checkImportCycles(sources),
    ...checkFactoryNames(sources),
    ...sources.flatMap((source) => checkSourceStyle(source)),
  ]
}

function checkModules(sources: Source[]): string[] {
  const modules = new Set(sources.map(({ path }) => findModule(path)).filter((module) => module !== undefined))
  return [...modules]
    .filter((module) => findLayer(module) < 0)
    .map((module) => `${SERVER}${module} is in no layer: add it to LAYERS in tools/architecture.ts.`)
}

function checkFileNames(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith(SERVER) && path.endsWith('-service.ts'))
    .map(
      ({ path }) => `${path} is named after a kind: a folder has one service.ts, other files are named after a thing.`,
    )
}

/** A text search for `createMessages` finds one function. */
function checkFactoryNames(sources: Source[]): string[] {
  const owners = new Map<string, string>()
  return sources
    .filter(({ path }) => path.startsWith(SERVER) && !isTest(path))
    .flatMap((source) =>
      findExportedFunctions(source).flatMap(({ name }) => {
        const owner = owners.get(name)
        owners.set(name, source.path)
        return /^create[A-Z]/.test(name) && owner !== undefined
          ? [`${source.path} and ${owner} both export ${name}: rename one.`]
          : []
      }),
    )
}

/** Walks the imports depth first; a file that is met again on its own path closes a cycle. */
function checkImportCycles(sources: Source[]): string[] {
  const graph = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ specifier }) => resolveImport(path, specifier) ?? []),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []

  function walk(path: string, trail: string[]): void {
    if (trail.includes(path)) {
      cycles.push(`${[...trail.slice(trail.indexOf(path)), path].join(' → ')} is a cycle of imports.`)
      return
    }
    if (done.has(path)) return
    for (const target of graph.get(path) ?? []) walk(target, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return cycles
}

function checkImports(source: Source): string[] {
  const inServer = source.path.startsWith(SERVER) && !isTest(source.path)
  return source.imports.flatMap((imported) => {
    const target = resolveImport(source.path, imported.specifier)
    const breaches = [
      target === undefined
        ? findPackageBreach(source.path, imported.specifier)
        : (findWorkspaceBreach(source.path, target) ?? findDashboardBreach(source.path, target)),
      ...(inServer && target !== undefined ? findServerBreaches(source.path, target, imported) : []),
    ]
    return breaches
      .filter((breach) => breach !== undefined)
      .map((breach) => `${source.path}:${imported.line} imports ${imported.specifier}, but ${breach}.`)
  })
}

function resolveImport(path: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
}

function findPackageBreach(path: string, specifier: string): string | undefined {
  if (/^(?:[#/]|file:)/.test(specifier)) return 'an import of our own code is a relative path'
  if (path.startsWith(SDK) && !isTest(path)) return 'the SDK runs in browsers and has no dependencies'
  if (path.startsWith(LOCALES) && !isTest(path)) return 'the texts are data and types, and import nothing'
  if (!specifier.startsWith('@hubline/')) return undefined

  const allowed = isTest(path) ? [...PACKAGE_IMPORTS, ...PACKAGE_IMPORTS_OF_TESTS] : PACKAGE_IMPORTS
  const isAllowed = allowed.some(
    (rule) => path.startsWith(rule.under) && `${specifier}/`.startsWith(`${rule.package}/`),
  )
  return isAllowed ? undefined : 'PACKAGE_IMPORTS in tools/architecture.ts does not let it in here'
}

function findWorkspaceBreach(path: string, target: string): string | undefined {
  const workspace = WORKSPACES.find((name) => path.startsWith(`${name}/`))
  if (workspace === undefined || target.startsWith(`${workspace}/`)) return undefined
  if (isTest(path) && CLIENTS.includes(workspace) && target.startsWith(TESTS_OF_SERVER)) return undefined
  if (workspace === BENCHMARKS && SOURCES_OF_SERVER.test(target)) return undefined
  if (BUILD.test(path) && target.startsWith(COMPILER)) return undefined
  return `a relative import stays inside its workspace, ${workspace}`
}

function findDashboardBreach(path: string, target: string): string | undefined {
  if (!path.startsWith(DASHBOARD) || !target.startsWith(DASHBOARD)) return undefined
  if (isTest(target) && !isTest(path)) return FOR_TESTS_ALONE
  const [from = '', feature] = path.slice(DASHBOARD.length).split('/')
  const [to = '', otherFeature] = target.slice(DASHBOARD.length).split('/')
  if (from === 'features' && to === 'features' && feature !== otherFeature) return 'features do not import each other'
  const isUpward = DASHBOARD_LAYERS.indexOf(to) > DASHBOARD_LAYERS.indexOf(from)
  return isUpward ? `${from} is below ${to} in DASHBOARD_LAYERS of tools/architecture.ts` : undefined
}

function findServerBreaches(path: string, target: string, { isType }: Import): (string | undefined)[] {
  const module = findModule(path)
  const targetModule = findModule(target)
  if (module === undefined) return []
  if (targetModule === undefined) return [`the server imports nothing outside ${SERVER.slice(0, -1)}`]
  if (isTest(target)) return [FOR_TESTS_ALONE]
  return [
    findDirectionBreach(module, targetModule),
    findRoutesBreach(module, target),
    module === targetModule
      ? !isType && module.startsWith('domains/')
        ? findKindBreach(path, target)
        : undefined
      : findStoreBreach(target, targetModule),
  ]
}

function findDirectionBreach(module: string, targetModule: string): string | undefined {
  const [layer, targetLayer] = [findLayer(module), findLayer(targetModule)]
  if (module === targetModule || layer < 0 || targetLayer < 0 || layer > targetLayer) return undefined
  if (layer === targetLayer) return `${module} and ${targetModule} are in one layer and do not import each other`
  return `imports only go down, and ${targetModule} lies above ${module}`
}

function findRoutesBreach(module: string, target: string): string | undefined {
  return findKind(target) === 'routes' && module !== 'app' ? 'only app/ imports routes' : undefined
}

function findStoreBreach(target: string, targetModule: string): string | undefined {
  const isPrivate = findKind(target) === 'store' && targetModule.startsWith('domains/')
  return isPrivate ? `a store is private to its domain, ${targetModule}` : undefined
}

function findKindBreach(path: string, target: string): string | undefined {
  const [kind, targetKind] = [findKind(path), findKind(target)]
  if (FORBIDDEN_KINDS[kind].includes(targetKind)) {
    return kind === 'other'
      ? `only routes, services and jobs import a ${targetKind} at run time`
      : `${kind} never imports ${targetKind}`
  }
  if (kind !== 'other' || targetKind !== 'store') return undefined
  // A store above it in the domain serves all of the folders below.
  const isOwn = posix.dirname(path).startsWith(posix.dirname(target))
  return isOwn ? undefined : 'a store of another folder is reached through its service'
}

export function findModule(path: string): string | undefined {
  if (!path.startsWith(SERVER)) return undefined
  const [first = '', second] = path.slice(SERVER.length).split('/')
  return first === 'domains' && second !== undefined ? `${first}/${second}` : first
}

export function findLayer(module: string): number {
  return LAYERS.findIndex((modules) => modules.includes(module))
}

function findKind(path: string): Kind {
  const found = /(?:^|-)(routes|schemas|service|store|jobs)\.ts$/.exec(basename(path))
  return (found?.[1] as Kind | undefined) ?? 'other'
}
