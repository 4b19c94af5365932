import fc from 'fast-check'
import { isObject } from '../../../../kernel/json/values.ts'
import { changed, placesIn, valueAt } from './change.ts'
import { EXAMPLES, PASSED_ON } from './examples.ts'

type Body = Record<string, unknown>
export type Addition = { body: Body; place: string; name: string }

const documented: Body[] = Object.values(EXAMPLES)
const bodies: Body[] = [...documented, ...Object.values(PASSED_ON)]

/** Any JSON without the member names that the request parser refuses. */
export const anyJson = fc.jsonValue().filter((value) => !/__proto__|constructor/.test(JSON.stringify(value)))

const anyName = fc.oneof(
  fc.string().filter((name) => !['__proto__', 'constructor'].includes(name)),
  fc.constantFrom(...new Set(bodies.flatMap((body) => placesIn(body)).map((place) => place.split('/').at(-1) ?? ''))),
)

/** A strict object of a documented message, and a member name that it does not have. */
export const anyAddition: fc.Arbitrary<Addition> = fc
  .constantFrom(...documented)
  .chain((body) => fc.record({ body: fc.constant(body), place: fc.constantFrom(...strictPlaces(body)), name: anyName }))
  .filter(({ place, name }) => !knownAt(place).has(name))

/** An example message with up to three values replaced. */
export const anyVariation: fc.Arbitrary<unknown> = fc
  .constantFrom(...bodies)
  .chain((body) => fc.tuple(fc.constant(body), fc.array(anyChange(body), { maxLength: 3 })))
  .map(([body, changes]) => changes.reduce<unknown>((value, [place, other]) => changed(value, place, other), body))

/** A message with any values in the members that the schema leaves open. */
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

/** An object of the same type, whose other members have any value or are missing. */
function anyWithin({ type, ...others }: Body) {
  const members = Object.fromEntries(Object.keys(others).map((name) => [name, anyJson]))
  return fc.record({ type: fc.constant(type), ...members }, { requiredKeys: ['type'] })
}

function constants(members: Body) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, fc.constant(value)]))
}

function anyChange(body: Body) {
  const parts = placesIn(body).map((place) => valueAt(body, place))
  const other = fc.oneof(anyJson, fc.constantFrom(...parts), fc.nat({ max: 5000 }).map(buildText))
  return fc.tuple(fc.constantFrom(...placesIn(body).filter((place) => place !== '')), other)
}

function buildText(length: number): string {
  return 'x'.repeat(length)
}

function strictPlaces(body: Body): string[] {
  return placesIn(body).filter((place) => isObject(valueAt(body, place)) && !/^.(?:interactive|template)/.test(place))
}

/** The members that the object at this pointer has in any example; together the examples have all. */
function knownAt(place: string): Set<string> {
  const anyIndex = place.replaceAll(/\/\d+/g, '/0')
  return new Set(documented.flatMap((body) => Object.keys(Object(valueAt(body, anyIndex)))))
}
