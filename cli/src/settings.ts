import { join } from 'node:path'
import { CliError, EXIT } from './exit-codes.ts'
import { findConfigDirectory, readJsonFile, writePrivateFile } from './files.ts'

type Env = Record<string, string | undefined>

export const DEFAULT_URL = 'http://localhost:8080'

const PROFILE = /^[A-Za-z0-9][\w-]{0,63}$/

/** A command needs these to call the hub; `source` says where they come from. */
export type Settings = { url: string; key: string; source: string }

/** A profile has a file of its own. */
export function getSettingsPath(env: Env): string {
  const profile = env.HUBLINE_PROFILE
  if (!profile) return join(findConfigDirectory(env), 'config.json')
  if (PROFILE.test(profile)) return join(findConfigDirectory(env), 'profiles', `${profile}.json`)
  throw new CliError('A profile name has at most 64 letters, digits, dashes and underscores.', EXIT.usage)
}

export async function readStored(env: Env): Promise<{ url?: string; key?: string }> {
  const stored = await readJsonFile(getSettingsPath(env))
  return typeof stored === 'object' && stored !== null ? stored : {}
}

/** HUBLINE_URL and HUBLINE_KEY win over what `hubline login` stored. */
export async function loadSettings(env: Env): Promise<Settings> {
  const stored = await readStored(env)
  const url = normalizeUrl(env.HUBLINE_URL || stored.url || DEFAULT_URL)
  if (env.HUBLINE_KEY) return { url, key: requirePrintable(env.HUBLINE_KEY), source: 'HUBLINE_KEY' }
  if (!stored.key || !stored.url) {
    const message = env.HUBLINE_PROFILE
      ? `There is no profile ${env.HUBLINE_PROFILE}. Run \`hubline login --profile ${env.HUBLINE_PROFILE}\`.`
      : 'You are not signed in. Run `hubline login`, or set HUBLINE_URL and HUBLINE_KEY.'
    throw new CliError(message, EXIT.credential)
  }
  // A key must not reach another host than the one that it was given for.
  if (url !== normalizeUrl(stored.url)) {
    const message = `The stored key belongs to ${stored.url}, and HUBLINE_URL is ${url}. Set HUBLINE_KEY too, or run \`hubline login --url ${url}\`.`
    throw new CliError(message, EXIT.credential)
  }
  return { url, key: stored.key, source: getSettingsPath(env) }
}

/** The message does not show it: a secret with a line end in it is still a secret. */
function requirePrintable(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new CliError(
    'HUBLINE_KEY contains characters that no API key has, such as spaces or line breaks.',
    EXIT.credential,
  )
}

export async function storeSettings(env: Env, settings: { url: string; key: string }): Promise<string> {
  const path = getSettingsPath(env)
  await writePrivateFile(path, settings)
  return path
}

/** Accepts `hub.example.com` for `https://hub.example.com`, and a loopback host for http. */
export function normalizeUrl(text: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text)
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  if (!URL.canParse(withScheme) || !/^https?:/.test(withScheme)) {
    throw new CliError(`'${text}' is not a URL. Use a URL such as https://hub.example.com.`, EXIT.usage)
  }
  if (withScheme.includes('@')) {
    throw new CliError('The URL of the hub must not contain a user name or password.', EXIT.usage)
  }
  return withScheme.replace(/\/+$/, '')
}

/** Returns true if a key would cross a network unencrypted. */
export function isUnprotected(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
