import type { Pasted } from './check-delivery.ts'

type Request = Pick<Pasted, 'headers' | 'body'>

let handed: Request | undefined

/** Gives a request to the tester, which takes it once when it opens. */
export function handOver(request: Request): void {
  handed = request
}

export function takeHanded(): Request | undefined {
  const taken = handed
  handed = undefined
  return taken
}
