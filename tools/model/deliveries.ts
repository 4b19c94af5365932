import type { Model, Step } from './explore.ts'

/**
 * The model of `server/src/domains/webhooks`: workers that claim deliveries of one endpoint. One step is one committed
 * statement, one request to the receiver, or one fault. As in the model of sends, a lease may end at any time.
 */
export const DELIVERY_FAULTS = [
  'deliveries are inserted after their event is committed',
  'a result is written without a match of the claim',
  'a claim is released after its request',
  'an interrupted attempt is not counted',
  'a cancellation ends deliveries that are claimed',
] as const
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number]

type Final = 'succeeded' | 'dead' | 'canceled'
/** The queue row (`isQueued`, `claim`, `attempts`), the log row (`final`), and the requests that were made. */
type Delivery = {
  isQueued: boolean
  claim: number | 'none' | 'lost'
  attempts: number
  requests: number
  final: Final | null
  /** Rows of the log. */
  logged: number
}
type Worker = null | { delivery: number; attempt: number; phase: 'claimed' | 'succeeded' | 'failed' }
export type DeliveryState = { isAccepted: boolean; isCanceled: boolean; deliveries: Delivery[]; workers: Worker[] }

type Options = { deliveries?: number; workers?: number; attemptsMax?: number; fault?: DeliveryFault | null }

export function createDeliveryModel(options: Options = {}): Model<DeliveryState> {
  const { deliveries = 2, workers = 2, attemptsMax = 3, fault = null } = options
  const none: Delivery = { isQueued: false, claim: 'none', attempts: 0, requests: 0, final: null, logged: 0 }

  function listSteps(state: DeliveryState): Step<DeliveryState>[] {
    const workerSteps = state.workers.flatMap((worker, w) =>
      worker === null ? listClaims(state, w) : listAttemptSteps(state, w, worker),
    )
    return [
      ...listPublications(state),
      ...workerSteps,
      ...listCancellations(state),
      ...state.deliveries.flatMap(expire),
    ]

    function expire(row: Delivery, d: number): Step<DeliveryState>[] {
      if (!row.isQueued || row.claim === 'none') return []
      const name = `the lease expires, or the worker is found dead (delivery ${d + 1})`
      const attempts = fault === 'an interrupted attempt is not counted' ? row.attempts - 1 : row.attempts
      return [
        { name, by: 'hub', to: conclude(put(state, d, { attempts }), d, { isSuccess: false, attempt: attempts }) },
      ]
    }
  }

  function listPublications(state: DeliveryState): Step<DeliveryState>[] {
    const inserted = state.deliveries.map((row) => ({ ...row, isQueued: true }))
    const name = 'an event is accepted'
    if (state.isAccepted) return []
    const accepted = { ...state, isAccepted: true, deliveries: inserted }
    if (fault !== 'deliveries are inserted after their event is committed')
      return [{ name, by: 'environment', to: accepted }]
    return [{ name: `${name}, and the process dies`, by: 'environment', to: { ...state, isAccepted: true } }]
  }

  /** Also with a lost answer of the database: then no worker knows of the claim. */
  function listClaims(state: DeliveryState, w: number): Step<DeliveryState>[] {
    return state.deliveries.flatMap((row, d) => {
      if (!row.isQueued || row.claim !== 'none' || state.isCanceled) return []
      const attempts = row.attempts + 1
      const name = `a worker claims (worker ${w + 1}, delivery ${d + 1})`
      const claimed = become(put(state, d, { claim: w, attempts }), w, {
        delivery: d,
        attempt: attempts,
        phase: 'claimed',
      })
      return [
        { name, by: 'hub' as const, to: claimed },
        { name, by: 'environment' as const, to: put(state, d, { claim: 'lost', attempts }) },
      ]
    })
  }

  function listAttemptSteps(state: DeliveryState, w: number, worker: NonNullable<Worker>): Step<DeliveryState>[] {
    const { delivery: d, phase, attempt } = worker
    const row = state.deliveries[d] as Delivery
    const name = (text: string) => `${text} (worker ${w + 1}, delivery ${d + 1})`
    const isOurs = row.claim === w
    const orphaned = isOurs ? put(state, d, { claim: 'lost' }) : state
    const steps: Step<DeliveryState>[] = [
      { name: name('the worker dies'), by: 'environment', to: become(orphaned, w, null) },
    ]
    const add = (text: string, to: DeliveryState, by: 'hub' | 'environment' = 'hub') =>
      steps.push({ name: name(text), by, to })
    if (phase === 'claimed' || fault === 'a claim is released after its request') {
      const released = isOurs ? put(state, d, { claim: 'none', attempts: row.attempts - 1 }) : state
      add('the worker releases its claim', become(released, w, null), 'environment')
    }
    if (phase === 'claimed') {
      const requested = put(state, d, { requests: row.requests + 1 })
      for (const result of ['succeeded', 'failed'] as const)
        add(`the request ${result}`, become(requested, w, { ...worker, phase: result }))
      return steps
    }
    const isWritten = row.isQueued && (isOurs || fault === 'a result is written without a match of the claim')
    const isSuccess = phase === 'succeeded'
    const written = isWritten ? conclude(state, d, { isSuccess, attempt }) : state
    add(`the result is written: ${phase}`, become(written, w, null))
    // The answer of the database is lost, and the write is repeated.
    add(`the result is written: ${phase}`, { ...written }, 'environment')
    return steps
  }

  /** The endpoint is disabled: what is claimed ends with its attempt. */
  function listCancellations(state: DeliveryState): Step<DeliveryState>[] {
    const name = 'the endpoint is disabled'
    if (!state.isCanceled) return [{ name, by: 'environment', to: { ...state, isCanceled: true } }]
    return state.deliveries.flatMap((row, d) => {
      const isFree = row.claim === 'none' || fault === 'a cancellation ends deliveries that are claimed'
      if (!row.isQueued || !isFree) return []
      const to = log(state, d, 'canceled')
      // With the fault, the row stays for the worker that has the claim.
      const left = row.claim === 'none' ? to : put(to, d, { isQueued: true })
      return [{ name: `a canceled delivery ends (delivery ${d + 1})`, by: 'hub' as const, to: left }]
    })
  }

  function conclude(state: DeliveryState, d: number, result: { isSuccess: boolean; attempt: number }): DeliveryState {
    if (result.isSuccess) return log(state, d, 'succeeded')
    if (result.attempt >= attemptsMax) return log(state, d, 'dead')
    return state.isCanceled ? log(state, d, 'canceled') : put(state, d, { claim: 'none' })
  }

  return {
    initial: {
      isAccepted: false,
      isCanceled: false,
      deliveries: Array(deliveries).fill(none),
      workers: Array(workers).fill(null),
    },
    listSteps,
    findBroken: (state) => findBroken(state, attemptsMax),
    findBrokenChange,
    findUnfinished: ({ deliveries, isAccepted }) =>
      isAccepted && deliveries.some(({ final }) => final === null) ? 'a delivery never ends' : undefined,
    label: ({ deliveries }) => deliveries.map(labelDelivery),
  }
}

function labelDelivery({ isQueued, claim, attempts, final }: Delivery): string {
  if (final) return final
  if (!isQueued) return 'none'
  if (claim !== 'none') return 'processing'
  return attempts === 0 ? 'pending' : 'retry'
}

function log(state: DeliveryState, d: number, final: Final): DeliveryState {
  const { logged = 0 } = state.deliveries[d] ?? {}
  return put(state, d, { isQueued: false, claim: 'none', final, logged: logged + 1 })
}

function put(state: DeliveryState, d: number, changes: Partial<Delivery>): DeliveryState {
  return { ...state, deliveries: state.deliveries.map((row, n) => (n === d ? { ...row, ...changes } : row)) }
}

function become(state: DeliveryState, w: number, worker: Worker): DeliveryState {
  return { ...state, workers: state.workers.with(w, worker) }
}

function findBroken({ isAccepted, deliveries }: DeliveryState, attemptsMax: number): string | undefined {
  for (const { isQueued, requests, attempts, logged, final } of deliveries) {
    if (isAccepted && !isQueued && final === null) return 'an accepted event has no delivery'
    if (requests > attemptsMax || attempts > attemptsMax) return 'a delivery had too many attempts'
    if (requests > attempts) return 'an attempt was not counted'
    if (logged > 1) return 'a delivery ended twice'
    if (final === 'succeeded' && requests === 0) return 'a delivery succeeded without a request'
  }
  return undefined
}

function findBrokenChange(from: DeliveryState, to: DeliveryState): string | undefined {
  const isChanged = from.deliveries.some(({ final }, d) => final !== null && to.deliveries[d]?.final !== final)
  return isChanged ? 'a delivery left its final state' : undefined
}
