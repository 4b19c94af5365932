import type { Cell, Style } from './terminal.ts'

/** The color of a status of a channel, a message, an endpoint, a delivery, a key or a check. */
export const STATUS_STYLES: Record<string, Style> = {
  active: 'green',
  succeeded: 'green',
  delivered: 'green',
  read: 'green',
  ok: 'green',
  approved: 'green',
  pending: 'yellow',
  degraded: 'yellow',
  paused: 'yellow',
  retry: 'yellow',
  unknown: 'yellow',
  warning: 'yellow',
  disconnected: 'red',
  disabled: 'red',
  dead: 'red',
  failed: 'red',
  failing: 'red',
  revoked: 'red',
  rejected: 'red',
  canceled: 'dim',
  expired: 'dim',
  skipped: 'dim',
}

export function toStatusCell(status: string): Cell {
  const style = STATUS_STYLES[status.toLowerCase()]
  return style ? { text: status, style } : status
}

/** `2026-11-17 16:05:09` in the time zone of the person. */
export function formatTime(timestamp: string | null): string {
  if (timestamp === null) return '-'
  const date = new Date(timestamp)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
