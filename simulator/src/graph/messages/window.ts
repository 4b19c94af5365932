import type { Graph } from '../context.ts'
import { DAY_MS, type Relation } from '../model.ts'

const WINDOW_MS = DAY_MS

/** A person's message or call opens the customer service window of that number for a day. */
export function openWindow(graph: Graph, phoneId: string, waId: string): void {
  getRelation(graph, phoneId, waId).windowUntil = graph.clock.now() + WINDOW_MS
}

export function isWindowOpen(graph: Graph, phoneId: string, waId: string): boolean {
  return graph.clock.now() < getRelation(graph, phoneId, waId).windowUntil
}

export function getRelation(graph: Graph, phoneId: string, waId: string): Relation {
  const key = `${phoneId}:${waId}`
  const known = graph.state.relations.get(key)
  if (known) return known
  const relation = { windowUntil: 0 }
  graph.state.relations.set(key, relation)
  return relation
}
