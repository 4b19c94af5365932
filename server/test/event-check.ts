import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { buildEventPayload } from '../src/app/openapi/event-payloads.ts'
import { EVENT_KIND_NAMES } from '../src/domains/events/catalog.ts'

export type CheckedEvent = { id: string; kind: string; channel_id: string | null; occurred_at: string; body: Buffer }

/** Checks recorded events against the schema of their kind, their columns, and for ASCII. */
export function createEventCheck(): (event: CheckedEvent) => void {
  const ajv = new Ajv2020({ strict: false })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  const kinds = EVENT_KIND_NAMES.filter((kind) => kind !== 'upstream.raw')
  const checks = new Map<string, ValidateFunction>(
    kinds.map((kind) => [kind, ajv.compile({ ...buildEventPayload(kind), additionalProperties: false })]),
  )

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
