/**
 * Calls `work` after the sockets were read once more. A process that was held up finds its timers due before it has read what
 * arrived meanwhile, so a timeout decides only then whether something is late.
 */
export function afterReading(work: () => void): void {
  // The sockets are read between two immediates.
  setImmediate(() => setImmediate(work))
}
