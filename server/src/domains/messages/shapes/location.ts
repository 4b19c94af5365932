import { Type } from 'typebox'
import type { Issue } from '../../../kernel/errors.ts'
import { strictObject } from '../../../kernel/http/schemas.ts'
import { issueAt, type Shape } from './shape.ts'

const DECIMAL = '^[+-]?[0-9]{1,3}(\\.[0-9]{1,32})?$'
const decimal = new RegExp(DECIMAL, 'u')

export const latitude = degrees(90)
export const longitude = degrees(180)

export const Location = strictObject({
  latitude: latitude.schema,
  longitude: longitude.schema,
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
})

/** The schema holds numbers to their range; it cannot do so for numbers that are written as text. */
export function refuseLocation(location: { latitude: unknown; longitude: unknown }, path: string): Issue[] {
  return [
    ...latitude.refuse(location.latitude, `${path}/latitude`),
    ...longitude.refuse(location.longitude, `${path}/longitude`),
  ]
}

/** A number, or one as text: both are common, and which one it was is passed on. */
function degrees(max: number): Shape<number | string> {
  return {
    schema: Type.Unsafe({ type: ['number', 'string'], minimum: -max, maximum: max, pattern: DECIMAL }),
    refuse(value, path) {
      if (typeof value !== 'number' && typeof value !== 'string') return issueAt(path, 'must be number,string')
      if (typeof value === 'string' && !decimal.test(value)) return issueAt(path, `must match pattern "${DECIMAL}"`)
      if (Number(value) < -max) return issueAt(path, `must be >= -${max}`)
      return Number(value) > max ? issueAt(path, `must be <= ${max}`) : []
    },
  }
}
