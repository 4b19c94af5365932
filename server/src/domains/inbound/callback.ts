import type { Change } from './envelope.ts'
import type { TargetChannel } from './routing.ts'

/** A callback that was received. `problem` says why it cannot be read. */
export type Callback = { id: string; bytes: Buffer; changes: Change[]; problem: string | null }

/** A change and one channel that it concerns. */
export type Item = { change: Change; channel: TargetChannel }
