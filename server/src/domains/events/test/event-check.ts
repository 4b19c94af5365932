import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type TSchema, Type } from 'typebox'
import { nullable, Timestamp, Uuid } from '../../../kernel/http/schemas.ts'
import { EVENT_KINDS } from '../catalog.ts'

export type CheckedEvent = { id: string; kind: string; channel_id: string | null; occurred_at: string; body: Buffer }

/** Holds recorded events against the table of kinds: the envelope, the data of the kind, and ASCII alone. */
export function createEventCheck(): (event: CheckedEvent) => void {
  const ajv = new Ajv2020({ strict: false })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  const schemas = Object.entries(EVENT_KINDS).flatMap(([kind, { data }]) =>
    data ? [[kind, envelopeOf(kind, data)]] : [],
  )
  const checks = new Map(schemas.map(([kind, schema]) => [kind, ajv.compile(schema as TSchema)]))

  return ({ id, kind, channel_id, occurred_at, body }) => {
    const check = checks.get(kind)
    if (!check) return assert.equal(kind, 'upstream.raw')
    const envelope = JSON.parse(body.toString('latin1'))
    const isValid: boolean = check(envelope)
    assert.ok(isValid, `${kind}: ${ajv.errorsText(check.errors)} in ${body}`)
    assert.deepEqual([envelope.id, envelope.channel_id, envelope.occurred_at], [id, channel_id, occurred_at])
    assert.ok(/^[\x20-\x7e]*$/.test(body.toString('latin1')), `${kind} is not ASCII: ${body}`)
  }
}

function envelopeOf(kind: string, data: TSchema) {
  return Type.Object(
    { id: Uuid, event: Type.Literal(kind), channel_id: nullable(Uuid), occurred_at: Timestamp, data },
    { additionalProperties: false },
  )
}
