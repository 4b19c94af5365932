import type { Json, JsonObject } from '../../json.ts'

/** The whole form must be read before it is known if the names are list positions. */
type Tree = Map<string, Tree | string>

const DEPTH_MAX = 8

/** Parses `items[0][price]=…&expand[]=…` into objects and lists; every value is text. */
export function parseForm(pairs: Iterable<[string, string]>): JsonObject {
  const root: Tree = new Map()
  for (const [name, value] of pairs) insert(root, splitName(name), value)
  return Object.fromEntries([...root].map(([name, branch]) => [name, toJson(branch)]))
}

function splitName(name: string): string[] {
  const [head = '', ...rest] = name.split('[')
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))].slice(0, DEPTH_MAX)
}

function insert(tree: Tree, [head = '', ...rest]: string[], value: string): void {
  // `[]` appends at the next free position.
  const name = head === '' ? String(tree.size) : head
  if (rest.length === 0) {
    tree.set(name, value)
    return
  }
  const known = tree.get(name)
  const branch: Tree = known instanceof Map ? known : new Map()
  tree.set(name, branch)
  insert(branch, rest, value)
}

function toJson(branch: Tree | string): Json {
  if (typeof branch === 'string') return branch
  const entries = [...branch].map(([name, inner]): [string, Json] => [name, toJson(inner)])
  const isList = entries.every(([name]) => /^\d+$/.test(name))
  if (!isList) return Object.fromEntries(entries)
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
}
