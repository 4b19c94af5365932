import type { ServerResponse } from 'node:http'
import type { Random } from './random.ts'

/**
 * Faults between a client and the platform. "Before": the request had no effect.
 * "After": it had its full effect and only the response is lost.
 */
export const FAULT_KINDS = [
  'latency',
  'http',
  'error',
  'throttle',
  'reset_before',
  'reset_after',
  'hang_before',
  'hang_after',
  'http_after',
  'error_after',
  'garbled_after',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  id: string
  kind: FaultKind
  method: string | undefined
  /** Part of the path, such as `/messages`. */
  path: string | undefined
  /** The number of matching requests that pass before it affects one. */
  skip: number
  /** The number of requests that it still affects; null means all. */
  times: number | null
  /** The share of matching requests that it affects, from 0 to 1. */
  rate: number
  latencyMs: number
  status: number
  code: number
  hits: number
}

export type Faults = ReturnType<typeof createFaults>

export function createFaults(random: Random) {
  const faults = new Map<string, Fault>()
  const held = new Set<ServerResponse>()
  let count = 0

  return {
    add(fault: Omit<Fault, 'id' | 'hits'>): Fault {
      const added = { ...fault, id: `fault-${++count}`, hits: 0 }
      faults.set(added.id, added)
      return added
    },

    list: () => [...faults.values()],

    /** The latency and the first other fault of this request. */
    match(method: string, path: string): { latencyMs: number; fault: Fault | undefined } {
      const hits = [...faults.values()].filter((fault) => isHit(fault, method, path, random))
      const fault = hits.find((hit) => hit.kind !== 'latency')
      const slow = hits.filter((hit) => hit.kind === 'latency')
      for (const hit of fault ? [...slow, fault] : slow) {
        hit.hits += 1
        if (hit.times !== null) hit.times -= 1
      }
      return { latencyMs: slow.reduce((sum, hit) => sum + hit.latencyMs, 0), fault }
    },

    /** Keeps a connection open without a response until the fault is removed or the client disconnects. */
    hold(response: ServerResponse): void {
      held.add(response)
      response.once('close', () => held.delete(response))
    },

    held: () => held.size,

    remove(id?: string): void {
      if (id === undefined) faults.clear()
      else faults.delete(id)
      for (const { socket } of held) {
        // Node never ends a request whose connection is reset while it closes, and the process would not exit.
        if (socket?.readableEnded || socket?.writableEnded) socket.destroy()
        else socket?.resetAndDestroy()
      }
      held.clear()
    },
  }
}

function isHit(fault: Fault, method: string, path: string, random: Random): boolean {
  if (fault.times === 0) return false
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.path !== undefined && !path.includes(fault.path)) return false
  if (fault.skip > 0) {
    fault.skip -= 1
    return false
  }
  return fault.rate >= 1 || random.fraction() < fault.rate
}
