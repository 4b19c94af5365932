import type { Json, JsonObject } from '../../json.ts'
import { GraphError, invalid } from './errors.ts'

/** One name from a `fields` list: `edge.limit(5).after(x)`. */
export interface Field {
  name: string
  modifiers: Map<string, string>
}

const FIELD = /^\w+(\.\w+\([^()]*\))*$/

/** Parses a field expression. The arguments of modifiers may contain commas. */
export function parseFields(expression: string): Field[] {
  return expression.split(/,(?![^(]*\))/).map((text) => {
    if (!FIELD.test(text)) {
      throw new GraphError(400, {
        message: `Syntax error "Unexpected ${text || 'end of string'}": ${expression}`,
        code: 2500,
      })
    }
    const [name = ''] = text.split('.', 1)
    const modifiers = [...text.matchAll(/\.(\w+)\(([^()]*)\)/g)].map(
      ([, key = '', value = '']) => [key, value] as const,
    )
    return { name, modifiers: new Map(modifiers) }
  })
}

/** The values of a modifier are written `(A,B)`, `([A,B])` or `(["A","B"])`. */
export function parseModifierList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.replace(/[[\]"'\s]/g, ''))
    .filter(Boolean)
}

/** The members of a node. Each one is computed only when a request asks for it. */
export type Members = Readonly<Record<string, (field: Field) => Json>>

/** The requested members, or the default ones, and always the id. */
export function selectFields(
  members: Members,
  requested: Json,
  defaults: readonly string[],
  nodeType: string,
): JsonObject {
  const expression = typeof requested === 'string' ? requested.replace(/\s/g, '') : ''
  const node: JsonObject = {}
  for (const field of parseFields(`${expression || defaults.join(',')},id`)) {
    const member = members[field.name]
    if (!member) throw invalid(`Tried accessing nonexisting field (${field.name}) on node type (${nodeType})`)
    node[field.name] = member(field)
  }
  return node
}
