import { test } from 'node:test'
import { changed } from './test/change.ts'
import { EXAMPLES, type ExampleName } from './test/examples.ts'
import { assertAccepted, assertRefused, testRefusals, testRequired } from './test/tables.ts'

const PARAMETER = '/template/components/0/parameters/0/location'
const PLACES: [ExampleName, string, number][] = [
  ['location', '/location/latitude', 90],
  ['location', '/location/longitude', 180],
  ['template under a location', `${PARAMETER}/latitude`, 90],
  ['template under a location', `${PARAMETER}/longitude`, 180],
]

test('a coordinate within its range is accepted unchanged, as a number or as text', async () => {
  for (const [example, place, max] of PLACES) {
    const good = [0, -0.5, max, -max, '0', '-0.5', '+1.25', `${max}`, `-${max}`, `${max}.000000`, '-0']
    for (const value of good) await assertAccepted(changed(EXAMPLES[example], place, value), `${place} ${value}`)
  }
})

test('a coordinate that is out of range or not a number is refused', async () => {
  for (const [example, place, max] of PLACES) {
    const outside = [max + 1, -max - 1, max + 0.000001, `${max + 1}`, `-${max + 1}`, `${max}.000001`, `-${max}.000001`]
    const strange = [
      '',
      ' 1',
      '1 ',
      '1e1',
      '0x1',
      '1,5',
      '1.',
      '.5',
      '--1',
      'NaN',
      'Infinity',
      '1'.repeat(40),
      true,
      [],
      {},
    ]
    for (const value of [...outside, ...strange]) {
      await assertRefused(changed(EXAMPLES[example], place, value), place, `${place} ${JSON.stringify(value)}`)
    }
  }
})

testRequired('a location', [
  ['location', '/location/latitude'],
  ['location', '/location/longitude'],
  ['template under a location', `${PARAMETER}/latitude`],
  ['template under a location', `${PARAMETER}/longitude`],
])
testRefusals('a member of a location that is not text', [
  ['location', '/location/name', 7],
  ['location', '/location/address', null],
  ['template under a location', `${PARAMETER}/name`, 7],
  ['template under a location', `${PARAMETER}/address`, {}],
])
