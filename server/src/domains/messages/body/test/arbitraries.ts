import fc from 'fast-check'
import { isObject } from '../../../../kernel/json/values.ts'
import { changed, placesIn, valueAt } from './change.ts'
import { EXAMPLES, PASSED_ON } from './examples.ts'

type Body = Record<string, unknown>
export type Addition = { body: Body; place: string; name: string }

const documented: Body[] = Object.values(EXAMPLES)
const bodies: Body[] = [...documented, ...Object.values(PASSED_ON)]

/** Any JSON but for the names that a parser of requests refuses before anything is validated. */
export const anyJson = fc.jsonValue().filter((value) => !/__proto__|constructor/.test(JSON.stringify(value)))

const anyName = fc.oneof(
  fc.string().filter((name) => !['__proto__', 'constructor'].includes(name)),
  fc.constantFrom(...new Set(bodies.flatMap((body) => placesIn(body)).map((place) => place.split('/').at(-1) ?? ''))),
)

/** An object of a documented message in which every member is known, and a name that it does not know. */
export const anyAddition: fc.Arbitrary<Addition> = fc
  .constantFrom(...documented)
  .chain((body) => fc.record({ body: fc.constant(body), place: fc.constantFrom(...strictPlaces(body)), name: anyName }))
  .filter(({ place, name }) => !knownAt(place).has(name))

/** A documented message, or one that is passed on, of which up to three places hold something else. */
export const anyVariation: fc.Arbitrary<unknown> = fc
  .constantFrom(...bodies)
  .chain((body) => fc.tuple(fc.constant(body), fc.array(anyChange(body), { maxLength: 3 })))
  .map(([body, changes]) => changes.reduce<unknown>((value, [place, other]) => changed(value, place, other), body))

/** A message whose members the schema leaves open, with anything in them. */
export const anyEnvelope: fc.Arbitrary<unknown> = fc
  .constantFrom(...bodies.filter(({ interactive, template }) => interactive ?? template))
  .chain(({ to, type, interactive, template }) =>
    fc.record({
      to: fc.constant(to),
      type: fc.constant(type),
      ...(interactive !== undefined && { interactive: anyWithin(Object(interactive)) }),
      ...(template !== undefined && { template: anyTemplate(Object(template)) }),
    }),
  )

function anyTemplate({ components: [first = { type: 'body' }] = [], ...others }: { components?: Body[] }) {
  return fc.record({ ...constants(others), components: fc.array(anyWithin(first)) })
}

/** An object of its type, each other member of which may be anything, or may be missing. */
function anyWithin({ type, ...others }: Body) {
  const members = Object.fromEntries(Object.keys(others).map((name) => [name, anyJson]))
  return fc.record({ type: fc.constant(type), ...members }, { requiredKeys: ['type'] })
}

function constants(members: Body) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, fc.constant(value)]))
}

function anyChange(body: Body) {
  const parts = placesIn(body).map((place) => valueAt(body, place))
  const other = fc.oneof(anyJson, fc.constantFrom(...parts), fc.nat({ max: 5000 }).map(textOf))
  return fc.tuple(fc.constantFrom(...placesIn(body).filter((place) => place !== '')), other)
}

function textOf(length: number): string {
  return 'x'.repeat(length)
}

function strictPlaces(body: Body): string[] {
  return placesIn(body).filter((place) => isObject(valueAt(body, place)) && !/^.(?:interactive|template)/.test(place))
}

/** The members that the object at such a place has in any of the examples, which together have all. */
function knownAt(place: string): Set<string> {
  const anyIndex = place.replaceAll(/\/\d+/g, '/0')
  return new Set(documented.flatMap((body) => Object.keys(Object(valueAt(body, anyIndex)))))
}
