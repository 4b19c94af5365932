import { destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { formatLogLine } from './log-text.ts'

export type { Logger }
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['text', 'json'] as const
type LogFormat = (typeof LOG_FORMATS)[number]

const CAUSES_MAX = 8
const GATHER_BYTES = 4096
const GATHER_MS = 20
/** Limits the lines that wait while nothing reads standard output. Further ones are dropped, so that they do not fill the memory. */
const WAITING_LENGTH_MAX = 4 * 1024 * 1024

/**
 * Secrets and phone numbers are redacted in the finished line, so it does not
 * matter how they got in: a field, an error's text, a stack, a cause. The line is
 * JSON, where a secret may follow the letter of an escape such as \n directly.
 */
const ESCAPE = String.raw`(?<=\\(?:[bfnrt]|u[0-9a-f]{4}))`
const WORD_START = String.raw`(?:(?<!\w)|${ESCAPE})`
// Digits next to a hyphen or a letter are part of an id; a bare JSON number is a measure.
const NUMBER_START = String.raw`(?:(?<![\w.-])(?<!(?<!\\)":)|${ESCAPE}|(?<=%2[Bb]))`

const SECRETS: readonly [RegExp, string][] = [
  [/(hub_[a-z]{2}_)[0-9A-Za-z]+/g, '$1[redacted]'],
  [/whsec_[^\s"'\\]+/g, 'whsec_[redacted]'],
  [/(Bearer|OAuth)\s+[^\s"'\\,]+/gi, '$1 [redacted]'],
  [new RegExp(`${WORD_START}EAA[0-9A-Za-z]{8,}`, 'g'), '[redacted]'],
  [new RegExp(`${WORD_START}[rs]k_(?:live|test)_[0-9A-Za-z]+`, 'g'), '[redacted]'],
  [/(postgres(?:ql)?:\/\/[^\s:@/"\\]*:)[^\s"\\]*@/g, '$1[redacted]@'],
  [/(smtps?:\/\/[^\s:@/"\\]*:)[^\s"\\]*@/g, '$1[redacted]@'],
  [/((?:access_token|input_token|client_secret|password|code)=)[^\s&"'\\]+/gi, '$1[redacted]'],
  [/\+[1-9](?:[ ().-]{0,2}\d){7,14}(?!\d)/g, '[number]'],
  [new RegExp(String.raw`${NUMBER_START}[1-9]\d{7,14}(?![\w-])`, 'g'), '[number]'],
]

/** Matches all that one of the patterns matches, and few lines besides: a line with ids and measures is passed on as it is. */
const SUSPECT = /[+=\\%]|hub_|whsec_|bearer|oauth|EAA|k_(?:live|test)_|:\/\/|(?:^|[^\w.-])[1-9]\d{7}/i

export function redactSecrets(text: string): string {
  if (!SUSPECT.test(text)) return text
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
}

/** Writes to standard output, or passes the lines to `write`. */
export function createLogger(
  level: LogLevel,
  { write, format = 'json' }: { write?: (line: string) => void; format?: LogFormat } = {},
): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (err: unknown) => describeError(err) },
    hooks: { streamWrite: format === 'text' ? (line: string) => formatLogLine(redactSecrets(line)) : redactSecrets },
  }
  return pino(options, write ? { write } : openStandardOutput())
}

/**
 * Gathers lines for a moment: each write wakes a thread, which costs more than building the line. The end of the process
 * writes what is left; only SIGKILL loses it.
 */
function openStandardOutput(): { write: (line: string) => void } {
  const output = destination({ dest: 1, sync: false, minLength: GATHER_BYTES, maxLength: WAITING_LENGTH_MAX })
  keepGoingWithoutRoom(output)
  let isFlushDue = false
  function flush(): void {
    isFlushDue = false
    output.flush()
  }
  return {
    write(line) {
      output.write(line)
      if (isFlushDue) return
      isFlushDue = true
      setTimeout(flush, GATHER_MS).unref()
    },
  }
}

/** A full disk must not end the hub, nor keep it from ending. What waits is written with a later line, once there is room. */
function keepGoingWithoutRoom(output: ReturnType<typeof destination>): void {
  const flushSync = output.flushSync.bind(output)
  let isWritable = true
  output.on('error', () => {
    isWritable = false
  })
  output.on('write', () => {
    isWritable = true
  })
  // It tries for ever where nothing can be written, and the end of the process calls it.
  output.flushSync = () => {
    if (isWritable) flushSync()
  }
}

/** Leaves out other members: the parameters and row details of a database error are tenants' data. */
export function describeError(err: unknown, depth = 0): unknown {
  if (!(err instanceof Error)) return { message: String(err) }
  return {
    name: err.name,
    code: 'code' in err ? err.code : undefined,
    message: err.message,
    stack: err.stack,
    cause: err.cause === undefined || depth === CAUSES_MAX ? undefined : describeError(err.cause, depth + 1),
  }
}
