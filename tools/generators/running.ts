import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { provideDebianLibraries } from './debian-libraries.ts'
import type { Generator } from './generators.ts'
import { readSection } from './guide.ts'

const COMMAND_MS_MAX = 600_000
const OUTPUT_LENGTH = 1500
/** The output of the program of each generator. */
const EXPECTED = [/^sent [0-9a-f-]{36}$/m, /^read image\/\w+$/m, /^refused IDEMPOTENCY_KEY_REUSED$/m]

const execute = promisify(execFile)

export type HubOfRun = { url: string; token: string; channelId: string; contact: string }

/** A command that fetches packages: where that is not possible, the generator cannot be tried. */
const INSTALLS = /\b(npm|pip) install\b/

type Outcome = { isTried: true; problem: string | undefined } | { isTried: false; reason: string }

/** The first program that is not there. */
function findMissing({ needs }: Generator): string | undefined {
  return needs.find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
}

/** Runs the commands of the guide in a folder of their own. */
export async function tryGenerator(generator: Generator, hub: HubOfRun): Promise<Outcome> {
  const absent = findMissing(generator)
  if (absent !== undefined) return { isTried: false, reason: `${absent} is not installed` }
  const folder = await mkdtemp(join(tmpdir(), 'hubline-generator-'))
  try {
    const { commands, program } = readSection(generator.name)
    await writeFile(join(folder, program.name), program.text)
    await writeFile(join(folder, 'package.json'), '{"private": true}')
    const env = await buildEnv(folder, hub)
    let printed = ''
    for (const command of commands) {
      const { stdout } = await execute('sh', ['-c', command], {
        cwd: folder,
        env,
        timeout: COMMAND_MS_MAX,
        maxBuffer: 2 ** 26,
      })
      printed = stdout
    }
    const missing = EXPECTED.filter((pattern) => !pattern.test(printed))
    const problem = `the program did not print ${missing.join(', ')}, but ${printed}`
    return { isTried: true, problem: missing.length === 0 ? undefined : problem }
  } catch (err) {
    const { cmd, stdout = '', stderr = '', message } = err as Error & { cmd?: string; stdout?: string; stderr?: string }
    const problem = `${cmd ?? message}\n${`${stdout}\n${stderr}`.trim().slice(-OUTPUT_LENGTH)}`
    if (!INSTALLS.test(cmd ?? '')) return { isTried: true, problem }
    console.log(problem)
    return { isTried: false, reason: 'its packages cannot be had here' }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

async function buildEnv(folder: string, hub: HubOfRun): Promise<NodeJS.ProcessEnv> {
  const bin = join(folder, 'run-bin')
  await mkdir(bin)
  const libraries = await provideDebianLibraries(folder, bin)
  return {
    ...process.env,
    // The Node of the repository, for which the commands are written.
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    HUB_URL: hub.url,
    HUB_TOKEN: hub.token,
    HUB_CHANNEL: hub.channelId,
    HUB_CONTACT: hub.contact,
    // Without a registry, the commands fail soon.
    PIP_RETRIES: '1',
    npm_config_fetch_retries: '1',
    ...libraries,
  }
}
