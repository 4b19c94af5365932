import type { Json, JsonObject } from '../../json.ts'

/** A node of the tree while it is read: names and list positions are not told apart until the end. */
type Tree = Map<string, Tree | string>

const DEPTH_MAX = 8

/**
 * Reads `items[0][price]=…&expand[]=…` into nested objects and lists. Every
 * leaf is text, as nothing in a form says which of them are numbers.
 */
export function formOf(pairs: Iterable<[string, string]>): JsonObject {
  const root: Tree = new Map()
  for (const [name, value] of pairs) plant(root, pathOf(name), value)
  return Object.fromEntries([...root].map(([name, branch]) => [name, harvest(branch)]))
}

function pathOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[')
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))].slice(0, DEPTH_MAX)
}

function plant(tree: Tree, [head = '', ...rest]: string[], value: string): void {
  // An empty bracket appends, so each one gets the next free position.
  const name = head === '' ? String(tree.size) : head
  if (rest.length === 0) {
    tree.set(name, value)
    return
  }
  const known = tree.get(name)
  const branch: Tree = known instanceof Map ? known : new Map()
  tree.set(name, branch)
  plant(branch, rest, value)
}

function harvest(branch: Tree | string): Json {
  if (typeof branch === 'string') return branch
  const entries = [...branch].map(([name, inner]): [string, Json] => [name, harvest(inner)])
  const isList = entries.every(([name]) => /^\d+$/.test(name))
  if (!isList) return Object.fromEntries(entries)
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
}
