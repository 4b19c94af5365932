import { rm } from 'node:fs/promises'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { getSettingsPath, readStored } from '../settings.ts'

export const logout: Command = {
  name: 'logout',
  summary: 'Delete the stored URL and key',
  usage: '[--profile <name>]',
  description: 'The key itself stays valid. Revoke it with `hubline keys revoke`.',
  positionals: { min: 0, max: 0 },
  examples: ['hubline logout', 'hubline logout --profile production'],

  async run({ io, say, printJson, isJson, warn }) {
    const path = getSettingsPath(io.env)
    const { url = null } = await readStored(io.env)
    await rm(path, { force: true })
    if (isJson) printJson({ url, path })
    say(url === null ? 'You were not signed in.' : `Signed out of ${url}. The key stays valid until it is revoked.`)
    if (io.env.HUBLINE_KEY) warn('HUBLINE_KEY is still set.')
    return EXIT.ok
  },
}
