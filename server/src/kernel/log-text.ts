import { isObject, type JsonObject } from './json/values.ts'

const INDENT = '\n    '

/**
 * A finished log line of JSON for a person at a terminal: time, level, message and
 * fields on one line, and an error's stack below it.
 */
export function formatLogLine(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as JsonObject
  const start = `${time} ${String(level).toUpperCase().padEnd(5)} ${escapeControls(String(msg ?? ''))}`
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${formatValue(value)}`)
  return `${start}${pairs.join('')}${isObject(err) ? formatError(err) : ''}\n`
}

function formatValue(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value)
  return escapeControls(isPlain ? value : JSON.stringify(value))
}

function formatError({ name, code, message, stack, cause }: JsonObject): string {
  const title = code === undefined ? `${name}: ${message}` : `${name} (${code}): ${message}`
  const frames = String(stack ?? '')
    .split('\n')
    .filter((frame) => /^\s+at /.test(frame))
    .map((frame) => `  ${frame.trim()}`)
  const lines = [title, ...frames].map(escapeControls)
  return `${INDENT}${lines.join(INDENT)}${isObject(cause) ? formatError({ ...cause, name: `caused by ${cause.name}` }) : ''}`
}

/** Text of a request must not move the cursor, change colors or begin another line. */
function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
