import type { Command } from '../command.ts'
import { VERSION } from '../version.ts'

export const version: Command = {
  name: 'version',
  summary: 'Print the version of this program',
  usage: '',
  positionals: { min: 0, max: 0 },

  async run({ isJson, printJson, say }) {
    if (isJson) return void printJson({ version: VERSION })
    say(VERSION)
  },
}
