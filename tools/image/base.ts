import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { finish, run, type Settings, startIn } from './running.ts'

const NAME = /^node:(\d+)-([a-z]+)-slim$/
/** The one that this version of Node comes with. */
const NPM = 'npm@11'
/** As the official image has it. */
const ACCOUNT = 'groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node'

export const BASE_SETTINGS: Settings = { env: {}, user: 'root', directory: '/' }

/** A stand-in for the official image of Node: Debian with nothing but what it needs, Node, npm, and an ordinary account. */
export async function makeBase(name: string, root: string): Promise<void> {
  const [, major = '', suite = ''] = NAME.exec(name) ?? []
  if (!suite)
    throw new Error(`The Dockerfile begins with ${name}. Only node:<major>-<release of Debian>-slim is known here.`)
  if (process.versions.node.split('.')[0] !== major) {
    throw new Error(
      `This runs on Node ${process.versions.node}, and the image has Node ${major}: it takes the same program.`,
    )
  }
  await run('mmdebstrap', '--variant=minbase', suite, root)
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  await run(
    'npm',
    'install',
    '--global',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    join(root, 'usr/local'),
    NPM,
  )
  await finish(ACCOUNT, startIn({ root, settings: BASE_SETTINGS, command: ['sh', '-c', ACCOUNT] }))
  const found = await finish(
    'node --version',
    startIn({ root, settings: BASE_SETTINGS, command: ['node', '--version'] }),
  )
  if (found.trim() !== process.version || !existsSync(join(root, 'home/node')))
    throw new Error(`The base has Node ${found}.`)
}
