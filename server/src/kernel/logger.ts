import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type { Logger }
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Secrets and phone numbers are taken out of the finished line, so that it does
 * not matter how they got in: a field, an error's text, a stack, a cause.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/\b(hub_[a-z]{2}_)[0-9A-Za-z]+/g, '$1[redacted]'],
  [/\bwhsec_[^\s"'\\]+/g, 'whsec_[redacted]'],
  [/\b(Bearer|OAuth)\s+[^\s"'\\,]+/gi, '$1 [redacted]'],
  [/\bEAA[0-9A-Za-z]{8,}/g, '[redacted]'],
  [/\b[rs]k_(?:live|test)_[0-9A-Za-z]+/g, '[redacted]'],
  [/\b(postgres(?:ql)?:\/\/[^\s:@/"]*:)[^\s@"]*@/g, '$1[redacted]@'],
  [/((?:access_token|input_token|client_secret|password|code)=)[^\s&"'\\]+/gi, '$1[redacted]'],
  // Digits that touch a hyphen or a letter are part of an id; a bare JSON number is a measure.
  [/(?<![\w.-])(?<!":)\+?[1-9]\d{7,14}(?![\w-])/g, '[number]'],
]

export function scrub(text: string): string {
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
}

export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    hooks: { streamWrite: scrub },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Only what helps to find the fault: a database error's parameters and row details are tenants' data. */
export function describeError(err: unknown): unknown {
  if (!(err instanceof Error)) return { message: String(err) }
  return {
    name: err.name,
    code: 'code' in err ? err.code : undefined,
    message: err.message,
    stack: err.stack,
    cause: err.cause === undefined ? undefined : describeError(err.cause),
  }
}
