import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTable, type Column, type Figure, pickValues } from './table.ts'

const column = (name: string, figures: Record<string, Figure[]>): Column => ({
  name,
  figures: new Map(Object.entries(figures)),
})
const show = (...values: number[]) => values.map((value) => ({ value, text: `${value} ms` }))

const hub = column('hubline', { latency: show(3, 1, 2), lost: [{ text: 'none' }] })
const other = column('other', { latency: show(2, 2, 2), lost: [{ text: '4' }] })

test('each figure is that of the median round, and a ratio has its median and its spread', () => {
  assert.deepEqual(buildTable([hub, other]), [
    { remark: '|  | hubline | other | of other |' },
    { remark: '| --- | --- | --- | --- |' },
    { remark: '| latency | 2 ms | 2 ms | 1.00 (0.50 to 1.50) |' },
    { remark: '| lost | none | 4 |  |' },
  ])
})

test('a goal is judged by the round with the median ratio', () => {
  assert.deepEqual(pickValues(hub, other, 'latency'), { measured: 2, baseline: 2 })
  assert.equal(pickValues(hub, other, 'lost'), undefined)
})
