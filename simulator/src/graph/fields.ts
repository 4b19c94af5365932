import { isObject, type Json, type JsonObject } from '../json.ts'
import { GraphError, invalid } from './errors.ts'

/** One name from a `fields` list: `edge.limit(5).after(x){a,b}`. */
export interface Field {
  name: string
  modifiers: Map<string, string>
  children: Field[]
}

const NAME = /[A-Za-z0-9_]/

/** Reads the platform's field expressions, where modifiers chain, parentheses nest and braces select inside. */
export function parseFields(expression: string): Field[] {
  let at = 0

  function fail(): never {
    const rest = expression.slice(at) || 'end of string'
    throw new GraphError(400, {
      message: `Syntax error "Unexpected ${rest}" at character ${at}: ${expression}`,
      code: 2500,
    })
  }

  function name(): string {
    const start = at
    while (NAME.test(expression[at] ?? '')) at += 1
    return at > start ? expression.slice(start, at) : fail()
  }

  function argument(): string {
    const start = ++at
    for (let depth = 1; depth > 0; at += 1) {
      if (at >= expression.length) fail()
      if (expression[at] === '(') depth += 1
      if (expression[at] === ')') depth -= 1
    }
    return expression.slice(start, at - 1)
  }

  function field(): Field {
    const result: Field = { name: name(), modifiers: new Map(), children: [] }
    while (expression[at] === '.') {
      at += 1
      const modifier = name()
      if (expression[at] !== '(') fail()
      result.modifiers.set(modifier, argument())
    }
    if (expression[at] === '{') {
      at += 1
      result.children = list()
      if (expression[at] !== '}') fail()
      at += 1
    }
    return result
  }

  function list(): Field[] {
    const fields = [field()]
    while (expression[at] === ',') {
      at += 1
      fields.push(field())
    }
    return fields
  }

  const fields = list()
  return at === expression.length ? fields : fail()
}

/** Values in a modifier come as `(A,B)`, `([A,B])` or `(["A","B"])`. */
export function modifierList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.replace(/[[\]"'\s]/g, ''))
    .filter(Boolean)
}

/** A node as made from its members: each is computed only when asked for. */
export type Members = Readonly<Record<string, (field: Field) => Json>>

/** The members that were asked for, or the default ones. The id always comes along. */
export function project(members: Members, requested: Json, defaults: readonly string[], nodeType: string): JsonObject {
  const asked = typeof requested === 'string' ? requested.replace(/\s/g, '') : ''
  const fields =
    asked === '' ? defaults.map((name) => ({ name, modifiers: new Map(), children: [] })) : parseFields(asked)
  const node: JsonObject = {}
  for (const field of fields) {
    const member = members[field.name]
    if (!member) throw invalid(`Tried accessing nonexisting field (${field.name}) on node type (${nodeType})`)
    node[field.name] = narrowed(member(field), field.children)
  }
  return members.id ? { ...node, id: members.id({ name: 'id', modifiers: new Map(), children: [] }) } : node
}

function narrowed(value: Json, children: Field[]): Json {
  if (children.length === 0) return value
  if (Array.isArray(value)) return value.map((item) => narrowed(item, children))
  if (!isObject(value)) return value
  return Object.fromEntries(children.map(({ name, children: inner }) => [name, narrowed(value[name], inner)]))
}
