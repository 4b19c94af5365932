import { Type } from 'typebox'
import type { Issue } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/json/values.ts'
import { choice, issueAt, type Shape, text } from './shape.ts'

type Shapes = Record<string, Shape<unknown>>
type ValueOf<S> = S extends Shape<infer T> ? T : never
type Members<R extends Shapes, O extends Shapes> = { [K in keyof R]: ValueOf<R[K]> } & {
  [K in keyof O]?: ValueOf<O[K]>
}
type Tagged = { type: string; [member: string]: unknown }

/** A shape of objects that is picked by what their member `type` says. */
export type TaggedShape = Shape<unknown> & { tags: [string, ...string[]] }

/** An object that has these members right. Others pass, since the upstream adds some often. */
export function open<R extends Shapes, O extends Shapes>(required: R, optional: O): Shape<Members<R, O>> {
  const names = Object.keys(required)
  const members = Object.entries<Shape<unknown>>({ ...required, ...optional })
  const properties = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]))
  return {
    schema: Type.Unsafe({ type: 'object', ...(names.length > 0 && { required: names }), properties }),
    refuse(value, path) {
      if (!isObject(value)) return issueAt(path, 'must be object')
      return members.flatMap(([name, shape]) => {
        if (value[name] !== undefined) return shape.refuse(value[name], `${path}/${name}`)
        return names.includes(name) ? issueAt(`${path}/${name}`, 'is required') : []
      })
    },
  }
}

export function tagged(tag: string | TaggedShape['tags'], required: Shapes, optional: Shapes): TaggedShape {
  const tags: TaggedShape['tags'] = typeof tag === 'string' ? [tag] : tag
  return { tags, ...open({ type: choice(...tags), ...required }, optional) }
}

export function listOf<T>(item: Shape<T>, { min = 0, max }: { min?: number; max?: number } = {}): Shape<T[]> {
  const bounds = { ...(min > 0 && { minItems: min }), ...(max && { maxItems: max }) }
  return {
    schema: Type.Unsafe(Type.Array(item.schema, bounds)),
    refuse(value, path) {
      if (!Array.isArray(value)) return issueAt(path, 'must be array')
      if (value.length < min) return issueAt(path, `must NOT have fewer than ${min} items`)
      if (max !== undefined && value.length > max) return issueAt(path, `must NOT have more than ${max} items`)
      return value.flatMap((entry, index) => item.refuse(entry, `${path}/${index}`))
    },
  }
}

/** An object whose `type` picks one of the shapes. */
export function oneOfTypes(...known: [TaggedShape, ...TaggedShape[]]): Shape<Tagged> {
  const [first, ...rest] = known
  const envelope = open({ type: choice(...first.tags, ...rest.flatMap(({ tags }) => tags)) }, {})
  return { schema: Type.Unsafe({ anyOf: known.map(titled) }), refuse: picking(known, envelope) }
}

/**
 * An object whose `type` picks its shape; one of an unknown type passes.
 *
 * In the schema the known shapes stand beside one that asks for nothing. So a
 * validator of the whole body has nothing to say about them, and leaves it to
 * `refuse`, while a reader of the description sees each.
 */
export function byType(known: TaggedShape[], description: string): Shape<Tagged> {
  const envelope = open({ type: text() }, {})
  const anyOf = [...known.map(titled), { title: 'any other type', description }]
  return { schema: Type.Unsafe({ ...envelope.schema, anyOf }), refuse: picking(known, envelope) }
}

/** The shape with a rule about several of its members, which is asked once each of them is right by itself. */
export function ruled<T>(shape: Shape<T>, rule: (value: T, path: string) => Issue[]): Shape<T> {
  return {
    schema: shape.schema,
    refuse(value, path) {
      const issues = shape.refuse(value, path)
      return issues.length > 0 ? issues : rule(value as T, path)
    },
  }
}

/** A rule for objects of which two members exclude each other, and one must be there. */
export function exactlyOneOf<K extends string>(first: K, second: K) {
  return (value: { [N in K]?: unknown }, path: string): Issue[] => {
    const count = [value[first], value[second]].filter((member) => member !== undefined).length
    if (count === 1) return []
    return issueAt(path, count === 0 ? `must have ${first} or ${second}` : `must NOT have both ${first} and ${second}`)
  }
}

function titled({ tags, schema }: TaggedShape): object {
  return { title: tags.join(', '), ...schema }
}

function picking(known: TaggedShape[], envelope: Shape<{ type: string }>): Shape<Tagged>['refuse'] {
  return (value, path) => {
    const issues = envelope.refuse(value, path)
    if (issues.length > 0 || !isObject(value)) return issues
    return known.find(({ tags }) => tags.some((tag) => tag === value.type))?.refuse(value, path) ?? []
  }
}
