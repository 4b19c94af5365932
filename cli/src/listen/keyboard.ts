import { emitKeypressEvents } from 'node:readline'
import type { Io } from '../command.ts'

/** Calls `onKey` for each key of a person at a terminal, until it is stopped. */
export function watchKeys({ stdin }: Io, onKey: (name: string) => void): { stop: () => void } {
  if (stdin.isTTY !== true || !stdin.setRawMode) return { stop: () => undefined }
  function handle(text: string | undefined, key: { name?: string; ctrl?: boolean }): void {
    // In raw mode the terminal sends no signal.
    if (key.ctrl && key.name === 'c') process.kill(process.pid, 'SIGINT')
    else onKey(text ?? key.name ?? '')
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', handle)
  stdin.resume()
  return {
    stop() {
      stdin.off('keypress', handle)
      stdin.setRawMode?.(false)
      stdin.pause()
    },
  }
}
