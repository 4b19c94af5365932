import { Type } from 'typebox'
import { strictObject } from '../../../kernel/http/schemas.ts'

export const Latitude = degrees(90, '0?[0-8]?[0-9]', '0?90')
export const Longitude = degrees(180, '(0?[0-9]?|1[0-7])[0-9]', '180')

export const Location = strictObject({
  latitude: Latitude,
  longitude: Longitude,
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
})

/**
 * A number, or a number as text with one to three digits and a fraction: clients send both, and the hub forwards either.
 * `below` matches the digits of 0 to `max` - 1, `limit` those of `max`, which has no fraction but zeros.
 */
function degrees(max: number, below: string, limit: string) {
  const pattern = `^[+-]?(${below}(\\.[0-9]{1,32})?|${limit}(\\.0{1,32})?)$`
  return Type.Unsafe<number | string>({
    type: ['number', 'string'],
    minimum: -max,
    maximum: max,
    pattern,
    description: `From -${max} to ${max}, as a number or as text`,
  })
}
