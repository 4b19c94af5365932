/**
 * A step of a model. One `by` the hub or its upstream happens by itself; one by the environment (a request, a crash) may
 * never happen.
 */
export type Step<State> = { name: string; by: 'hub' | 'environment'; to: State }

export type Model<State> = {
  initial: State
  listSteps: (state: State) => Step<State>[]
  /** Returns the error in a state. */
  findBroken: (state: State) => string | undefined
  /** Returns the error in a change. */
  findBrokenChange: (from: State, to: State) => string | undefined
  /** Returns what is missing in a state in which nothing more happens by itself. */
  findUnfinished: (state: State) => string | undefined
  /** The states of its parts (keys, deliveries), as a reader knows them. */
  label: (state: State) => string[]
}

export type Violation = { broken: string; trace: string[] }
export type Change = { from: string; step: string; to: string }
export type Exploration = { states: number; steps: number; changes: Change[]; violation: Violation | undefined }

/** A model that grew by mistake must fail, not fill the memory. */
const STATES_MAX = 400_000

/** Visits every state that a model can reach, nearest first, so that the trace of a violation is the shortest. */
export function explore<State>(model: Model<State>): Exploration {
  const states = [model.initial]
  const origins: { before: number; name: string }[] = [{ before: -1, name: '' }]
  const known = new Set([JSON.stringify(model.initial)])
  const changes = new Map<string, Change>()
  let steps = 0
  let violation: Violation | undefined

  function report(broken: string | undefined, at: number, last?: string): void {
    if (broken === undefined || violation) return
    const trace = last === undefined ? [] : [last]
    for (let n = at; n > 0; n = origins[n]?.before ?? 0) trace.unshift(origins[n]?.name ?? '')
    violation = { broken, trace }
  }

  for (let at = 0; at < states.length && !violation; at++) {
    const state = states[at] as State
    report(model.findBroken(state), at)
    const possible = model.listSteps(state)
    if (possible.every(({ by }) => by === 'environment')) report(model.findUnfinished(state), at)
    const labels = model.label(state)
    for (const { name, to } of possible) {
      steps++
      report(model.findBrokenChange(state, to), at, name)
      addChanges(changes, labels, name, model.label(to))
      const key = JSON.stringify(to)
      if (known.has(key)) continue
      known.add(key)
      states.push(to)
      origins.push({ before: at, name })
    }
    if (states.length > STATES_MAX) throw new Error(`The model has more than ${STATES_MAX} states`)
  }
  return { states: states.length, steps, changes: [...changes.values()], violation }
}

function addChanges(changes: Map<string, Change>, before: string[], step: string, after: string[]): void {
  for (const [n, to] of after.entries()) {
    const from = before[n] ?? ''
    // The parts are numbered in the names of steps; the table is about any of them.
    const change = { from, step: step.replace(/ \(.*/, ''), to }
    if (from !== to) changes.set(Object.values(change).join('|'), change)
  }
}
