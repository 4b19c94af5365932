import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery, Pause } from '@hubline/sdk/console'
import { placePauses } from './place-pauses.ts'

const delivery = (id: string, minute: number) =>
  ({ id, created_at: `2026-11-18T07:${String(minute).padStart(2, '0')}:00.000Z` }) as Delivery
const pause = (minute: number) => ({ from: `2026-11-18T07:${String(minute).padStart(2, '0')}:00.000Z` }) as Pause
const DELIVERIES = [delivery('new', 40), delivery('middle', 20), delivery('old', 10)]

function place(pauses: Pause[], isCut = false, below?: string) {
  return [...placePauses(DELIVERIES, pauses, isCut, below)].map(([id, placed]) => [id, placed.length])
}

test('a pause stands before the delivery that was made last before it began', () => {
  assert.deepEqual(place([pause(50), pause(30), pause(25), pause(5)]), [
    ['new', 1],
    ['middle', 2],
    [undefined, 1],
  ])
})

test('of a list that was cut, pauses before its last delivery are left out', () => {
  assert.deepEqual(place([pause(30), pause(5)], true), [['middle', 1]])
})

test('on a page further down, pauses of the pages before it are left out', () => {
  assert.deepEqual(place([pause(55), pause(45), pause(30)], false, '2026-11-18T07:50:00.000Z'), [
    ['new', 1],
    ['middle', 1],
  ])
})
