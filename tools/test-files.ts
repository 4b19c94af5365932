import { globSync, statSync } from 'node:fs'

/** Tests of pages are run by `npm run test:pages`, with a browser, those of connection poolers by `npm run test:poolers`. */
const ALL = ['{server,simulator,sdk,cli,dashboard,locales,bench}/**/*.test.ts', 'tools/**/*.test.ts']

/** They take a minute or more each, and are run by `npm run test:long`. */
const LONG = [
  'tools/guides/journeys/*.test.ts',
  'tools/demo/demo.test.ts',
  'server/src/**/memory.test.ts',
  'server/src/kernel/db/embedded/{placement,server-lifetime,unprivileged-user}.test.ts',
]

/** Paths of tests that measure or end something of their whole process: memory, handles, uncaught failures, a database server. */
const NEEDS_OWN_PROCESS = /(?:^|\/)(?:journeys|embedded)\/|(?:^|\/)memory\.test\.ts$|\.pooler\.ts$/

type TestPlan = { shared: string[][]; isolated: string[] }

/** The files of the patterns; without any, every test but the long ones, or these. */
export function findTestFiles(patterns: string[], { isLong = false } = {}): string[] {
  const find = (globs: string[]) => globSync(globs, { exclude: (name) => name === 'node_modules' })
  const long = find(LONG)
  const found = patterns.length > 0 ? find(patterns) : isLong ? long : find(ALL).filter((file) => !long.includes(file))
  return [...new Set(found)].sort()
}

/**
 * Loading the hub takes longer than most files of tests, so files share a process, one after the other. Shares have about
 * the same bytes of tests: the size of a file predicts its time well enough.
 */
export function planTests(files: string[], shares: number, sizeOf = (file: string) => statSync(file).size): TestPlan {
  const shared = Array.from({ length: shares }, () => ({ bytes: 0, files: [] as string[] }))
  const isolated = files.filter((file) => NEEDS_OWN_PROCESS.test(file))
  const sized = files.filter((file) => !isolated.includes(file)).map((file) => ({ file, bytes: sizeOf(file) }))
  for (const { file, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    const lightest = shared.reduce((least, one) => (one.bytes < least.bytes ? one : least))
    lightest.bytes += bytes
    lightest.files.push(file)
  }
  return { shared: shared.map((one) => one.files.sort()).filter((list) => list.length > 0), isolated }
}
