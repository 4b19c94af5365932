import { COMMON_OPTIONS, type Command, type Option } from './command.ts'
import { EXIT } from './exit-codes.ts'

const GROUPS: Record<string, readonly string[]> = {
  Start: ['login', 'logout', 'status', 'doctor', 'version', 'completion'],
  'Channels and messages': [
    'channels',
    'connect',
    'tokens',
    'send',
    'messages',
    'read',
    'templates',
    'blocked',
    'qr-codes',
    'username',
  ],
  Webhooks: ['listen', 'trigger', 'webhooks', 'deliveries', 'replay', 'retry'],
  Organization: ['keys', 'usage', 'costs'],
  Assistants: ['mcp'],
}

export function formatOverview(commands: readonly Command[]): string {
  const groups = Object.entries(GROUPS).map(([title, names]) => {
    const rows = names.flatMap((name) => commands.find((command) => command.name === name) ?? [])
    return `${title}:\n${rows.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}`
  })
  return [
    'hubline: the Hubline command line.',
    'Usage: hubline <command> [options]',
    ...groups,
    [
      'Every command accepts --json and --help.',
      'HUBLINE_URL and HUBLINE_KEY take precedence over the values that `hubline login` stored. --profile or HUBLINE_PROFILE selects another hub and key; --profile takes precedence over everything else.',
    ].join('\n'),
    `Exit codes: ${Object.entries({ ...EXIT })
      .map(([name, code]) => `${code} ${EXIT_NAMES[name as keyof typeof EXIT]}`)
      .join(', ')}.`,
  ].join('\n\n')
}

const EXIT_NAMES: Record<keyof typeof EXIT, string> = {
  ok: 'done',
  refused: 'refused or failed',
  usage: 'wrong usage',
  credential: 'not signed in or not allowed',
  notFound: 'not found',
  unavailable: 'hub unreachable',
  unknownResult: 'result unknown',
  rateLimited: 'too many requests',
}

export function formatHelp(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS })
  const lines = options.map(([name, option]) => [formatOption(name, option), describeOption(option)] as const)
  const width = Math.max(...lines.map(([left]) => left.length)) + 2
  return [
    command.summary,
    `Usage: hubline ${`${command.name} ${command.usage}`.trim()}`,
    ...(command.description ? [command.description] : []),
    `Options:\n${lines.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')}`,
    ...(command.examples ? [`Examples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`] : []),
  ].join('\n\n')
}

function formatOption(name: string, { short, type, value }: Option): string {
  return `${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ` <${value ?? 'value'}>` : ''}`
}

function describeOption({ description, choices, multiple }: Option): string {
  return [description, choices && `(${choices.join(', ')})`, multiple && '(may be repeated)'].filter(Boolean).join(' ')
}
