import { Hub } from '@hubline/sdk'
import type { Command } from '../command.ts'
import { readText } from '../command.ts'
import { CliError, EXIT, usageError } from '../exit-codes.ts'
import { ask, readInput } from '../prompt.ts'
import { DEFAULT_URL, isUnprotected, normalizeUrl, readStored, storeSettings } from '../settings.ts'

const KEY = /^hub_pk_[0-9A-Za-z]{49}$/

export const login: Command = {
  name: 'login',
  summary: 'Store the URL of a hub and an API key',
  usage: '[--url <url>] [--profile <name>]',
  description: `Asks for the URL and for the key, which is not shown. The key can also be piped to standard input. Both are checked and
stored in a file that only you can read. A key in an argument would be visible to other users.`,
  options: { url: { type: 'string', value: 'url', description: `URL of the hub (${DEFAULT_URL} by default)` } },
  positionals: { min: 0, max: 0 },
  examples: ['hubline login', 'hubline login --profile production --url https://hub.example.com < key.txt'],

  async run(context, { values }) {
    const { io, say, warn, progress, printJson, isJson } = context
    const isAsking = io.stdin.isTTY === true
    const stored = (await readStored(io.env)).url ?? DEFAULT_URL
    const asked = readText(values, 'url') ?? (isAsking ? await ask(io, `URL of the hub [${stored}]: `) : stored)
    const url = normalizeUrl(asked || stored)
    if (isUnprotected(url)) warn(`${url} is not encrypted. Others on the network can read the key.`)
    const key = isAsking ? await ask(io, 'API key: ', { isHidden: true }) : await readInput(io)
    requireKey(key)
    progress('Checking the key…')
    await requireValid(url, key)
    const path = await storeSettings(io.env, { url, key })
    if (isJson) printJson({ url, path })
    say(`Signed in to ${url}. The key is stored in ${path}.`)
    if (io.env.HUBLINE_URL || io.env.HUBLINE_KEY)
      warn('HUBLINE_URL or HUBLINE_KEY is set and takes precedence over the stored values.')
    return EXIT.ok
  },
}

function requireKey(key: string): void {
  if (key === '')
    throw usageError(
      'No key was given. Create one with `npm run admin -- create-organization` or `hubline keys create`.',
    )
  if (key.startsWith('hub_ch_')) throw usageError('This is a channel token. Use an API key, which begins with hub_pk_.')
  if (!KEY.test(key)) throw usageError('This is not an API key. An API key begins with hub_pk_ and has 56 characters.')
}

/** Any answer but 401 shows that the key is known: it may lack the scope of this request. */
async function requireValid(url: string, key: string): Promise<void> {
  try {
    await new Hub({ url, credential: key }).channels.list().firstPage()
  } catch (err) {
    if ((err as { code?: string }).code === 'INSUFFICIENT_SCOPE') return
    if ((err as { status?: number }).status === 401)
      throw new CliError(`The key is unknown to ${url}, or it was revoked.`, EXIT.credential)
    throw err
  }
}
