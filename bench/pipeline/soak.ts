import type { BenchChannel } from '../bench-hub.ts'
import type { BenchmarkSetup, Result } from '../benchmark.ts'
import type { Receiver } from '../deliver/receiver.ts'
import type { LoadProcess } from '../load-process.ts'
import { passEvents } from './events.ts'
import { startHubProcess } from './hub-process.ts'

const PER_SECOND = 200
/** The engine compiles and caches fill in the first minutes. */
const WARM_UP_MINUTES = 2

type Setup = { stand: BenchmarkSetup; receiver: Receiver; load: LoadProcess; channels: BenchChannel[] }

/** The memory of a process that takes callbacks and of one that delivers, minute by minute under a steady load. */
export async function measureSoak({ stand, receiver, load, channels }: Setup, minutes: number): Promise<Result[]> {
  await using api = await startHubProcess({ ...stand, receiverPort: receiver.port, role: 'api' })
  await using worker = await startHubProcess({ ...stand, receiverPort: receiver.port, role: 'worker' })
  const measured: { api: number; worker: number }[] = []
  for (let minute = 1; minute <= WARM_UP_MINUTES + minutes; minute++) {
    const round = { url: api.url, channels, count: 60 * PER_SECOND, perSecond: PER_SECOND }
    await passEvents({ load, receiver }, round, async () => undefined)
    const memory = { api: await api.readMemory(), worker: await worker.readMemory() }
    stand.progress(`minute ${minute}: api ${memory.api.toFixed(0)} MB, worker ${memory.worker.toFixed(0)} MB`)
    if (minute >= WARM_UP_MINUTES) measured.push(memory)
  }
  const events = `${minutes} minutes of ${PER_SECOND} events/s`
  return (['api', 'worker'] as const).flatMap((role): Result[] => {
    const values = measured.map((memory) => memory[role])
    const [baseline = Number.NaN] = values
    return [
      {
        what: `MB of a process with the role ${role} after ${events}, of before`,
        measured: values.at(-1) ?? 0,
        baseline,
      },
      { what: `the most memory of the role ${role}`, value: Math.max(...values), unit: 'MB', goal: { atMost: 400 } },
    ]
  })
}
