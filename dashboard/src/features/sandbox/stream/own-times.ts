/** The durations of the requests of this page, by the message that each of them wrote. */
const times = new Map<string, number>()

export function noteTime(messageId: string, ms: number): void {
  times.set(messageId, ms)
}

export function getOwnTime(messageId: string | null): number | undefined {
  return messageId === null ? undefined : times.get(messageId)
}
