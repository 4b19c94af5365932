import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Bind, run } from './running.ts'

/** The machine's files are there while a step runs. */
const HERE = '/run/machine'
const PROXIES = /^(?:https?|no)_proxy$/i

/** The files with which this machine reaches its registry. */
async function findFiles(): Promise<Record<string, string>> {
  const read = async (name: string) => (await run('npm', 'config', 'get', name, '--loglevel=error')).trim()
  const files = {
    npm_config_userconfig: await read('userconfig'),
    npm_config_globalconfig: await read('globalconfig'),
    npm_config_cache: await read('cache'),
    npm_config_cafile: await read('cafile'),
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
  }
  return Object.fromEntries(Object.entries(files).filter(([, path]) => existsSync(path)))
}

export async function machineVariables(): Promise<Record<string, string>> {
  const files = Object.keys(await findFiles()).map((name) => [name, `${HERE}/${name}`])
  const proxies = Object.entries(process.env).filter(([name]) => PROXIES.test(name))
  return { ...Object.fromEntries([...files, ...proxies]), npm_config_prefer_offline: 'true' }
}

export async function findMachineBinds(root: string): Promise<Bind[]> {
  const files = Object.entries(await findFiles()).map(([name, source]) => ({ source, target: `${HERE}/${name}` }))
  const names = ['/etc/resolv.conf', '/etc/hosts'].filter((path) => existsSync(path) && existsSync(join(root, path)))
  return [...files, ...names.map((path) => ({ source: path, target: path }))]
}
