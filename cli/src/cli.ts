import { Hub, HubApiError, HubConnectionError, HubError } from '@hubline/sdk'
import { type Arguments, type Command, type Context, type Io, parseArguments, readText } from './command.ts'
import { COMMANDS } from './commands.ts'
import { CliError, EXIT, toExitCode } from './exit-codes.ts'
import { formatHelp, formatOverview } from './help.ts'
import { loadSettings } from './settings.ts'
import { suggestName } from './suggestions.ts'
import { createPaint, formatTable, guardLines, sanitize, toPrintableJson } from './terminal.ts'
import { VERSION } from './version.ts'

/** Runs one command, and returns the exit code. */
export async function runCli(args: string[], io: Io): Promise<number> {
  const [name, ...rest] = args
  const isJson = rest.includes('--json')
  try {
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') return showHelp(io, rest[0])
    if (name === '--version' || name === '-v') return print(io, VERSION)
    const command = findCommand(name)
    const parsed = parseArguments(command, rest)
    if (parsed.values.help) return print(io, formatHelp(command))
    return (await command.run(createContext(selectProfile(io, parsed), parsed.values.json === true), parsed)) ?? EXIT.ok
  } catch (err) {
    if (io.signal.aborted) return 130
    report(io, err, isJson)
    return toExitCode(err)
  }
}

function showHelp(io: Io, name: string | undefined): number {
  return print(io, name === undefined ? formatOverview(COMMANDS) : formatHelp(findCommand(name)))
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((one) => one.name === name)
  if (command) return command
  const nearest = suggestName(
    name,
    COMMANDS.map((one) => one.name),
  )
  const hint = nearest ? `Did you mean \`hubline ${nearest}\`?` : '`hubline help` lists the commands.'
  throw new CliError(`Unknown command '${name}'. ${hint}`, EXIT.usage)
}

/** The profile of the option wins over the environment. */
function selectProfile(io: Io, { values }: Arguments): Io {
  const profile = readText(values, 'profile')
  if (profile === undefined) return io
  return { ...io, env: { ...io.env, HUBLINE_PROFILE: profile, HUBLINE_URL: undefined, HUBLINE_KEY: undefined } }
}

function print(io: Io, text: string): number {
  io.stdout.write(`${text}\n`)
  return EXIT.ok
}

function createContext(io: Io, isJson: boolean): Context {
  const paint = createPaint(io.stdout.isTTY === true, io.env)
  const write = (text: string) => void io.stdout.write(`${guardLines(text)}\n`)
  let settings: ReturnType<typeof loadSettings> | undefined
  let hasProgress = false
  function clearProgress(): void {
    if (hasProgress) io.stderr.write('\r\u001b[K')
    hasProgress = false
  }
  async function load() {
    settings ??= loadSettings(io.env)
    return settings
  }
  return {
    io,
    isJson,
    paint,
    loadSettings: load,
    async connect() {
      const { url, key } = await load()
      const headers = { 'user-agent': `hubline-cli/${VERSION}` }
      return new Hub({ url, credential: key, headers, signal: io.signal })
    },
    say(text) {
      clearProgress()
      if (!isJson) write(text)
    },
    printJson: (value) => write(toPrintableJson(value)),
    printData: (data) => write(toPrintableJson({ data })),
    table(head, rows, none) {
      clearProgress()
      write(rows.length === 0 ? none : formatTable(head, rows, paint))
    },
    progress(text) {
      if (io.stderr.isTTY !== true || isJson) return
      clearProgress()
      io.stderr.write(sanitize(text))
      hasProgress = true
    },
    warn(text) {
      clearProgress()
      io.stderr.write(`${createPaint(io.stderr.isTTY === true, io.env)('yellow', sanitize(text))}\n`)
    },
  }
}

/** The message, and what helps to find out more. With `--json` the error as an object, on stderr too. */
function report(io: Io, err: unknown, isJson: boolean): void {
  if (isJson) {
    const { code = 'CLI', message, requestId = null, details = null } = err as Partial<HubError> & { message: string }
    io.stderr.write(`${toPrintableJson({ error: { code, message, request_id: requestId, details } })}\n`)
    return
  }
  const paint = createPaint(io.stderr.isTTY === true, io.env)
  io.stderr.write(`${paint('red', 'Error:')} ${sanitize((err as Error).message)}\n`)
  for (const line of explain(err)) io.stderr.write(`${paint('dim', sanitize(line))}\n`)
}

function explain(err: unknown): string[] {
  if (err instanceof HubConnectionError)
    return ['Check the URL, and that the hub is running. `hubline doctor` helps to find the cause.']
  if (!(err instanceof HubApiError))
    return err instanceof HubError || err instanceof CliError ? [] : ['This is a bug in hubline.']
  const issues = (err.details as { issues?: { path: string; message: string }[] } | null)?.issues ?? []
  const key = err.code === 'SEND_RESULT_UNKNOWN' && err.idempotencyKey ? [`Idempotency-Key: ${err.idempotencyKey}`] : []
  // The message of the error has the first issue.
  return [
    ...issues.slice(1).map(({ path, message }) => `  ${path} ${message}`),
    `${err.code}, request ${err.requestId}`,
    ...key,
  ]
}
