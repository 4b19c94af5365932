import { test } from 'node:test'
import { changed, placesIn, valueAt } from './test/change.ts'
import { EXAMPLES } from './test/examples.ts'
import {
  assertAccepted,
  assertRefused,
  testAcceptances,
  testCounts,
  testRefusals,
  testRequired,
} from './test/tables.ts'

testCounts('a message of contacts', [['contacts', '/contacts', 1, 257, () => ({ name: { formatted_name: 'Ana' } })]])

testRequired('a contact', [
  ['contacts', '/contacts/0/name'],
  ['contacts', '/contacts/0/name/formatted_name'],
])

testAcceptances('a name of one letter', [['contacts', '/contacts/0/name/formatted_name', 'A']])

testRefusals('a contact without a name to show, or with an invalid day', [
  ['contacts', '/contacts/0/name/formatted_name', ''],
  ['contacts', '/contacts/0/birthday', '28/02/1990'],
  ['contacts', '/contacts/0/birthday', '1990-2-28'],
  ['contacts', '/contacts/0/birthday', '1990-13-01'],
  ['contacts', '/contacts/0/birthday', '1990-00-01'],
  ['contacts', '/contacts/0/birthday', '1990-01-32'],
  ['contacts', '/contacts/0/birthday', '1990-01-00'],
  ['contacts', '/contacts/0/birthday', '1990-01-01T00:00:00Z'],
  ['contacts', '/contacts/0/birthday', 19900101],
])

test('the lists of a contact may be empty, and hold objects', async () => {
  for (const list of ['phones', 'emails', 'addresses', 'urls']) {
    const place = `/contacts/0/${list}`
    await assertAccepted(changed(EXAMPLES.contacts, place, []), place)
    await assertRefused(changed(EXAMPLES.contacts, place, {}), place, place)
    await assertRefused(changed(EXAMPLES.contacts, place, ['x']), `${place}/0`, place)
  }
})

test('every detail of a contact is text, and any but the name to show may be left out or be empty', async () => {
  const details = placesIn(EXAMPLES.contacts).filter(
    (place) => place.startsWith('/contacts') && typeof valueAt(EXAMPLES.contacts, place) === 'string',
  )

  for (const place of details) {
    for (const wrong of [7, null, true, ['x'], {}]) {
      await assertRefused(changed(EXAMPLES.contacts, place, wrong), place, `${place} ${JSON.stringify(wrong)}`)
    }
    if (/formatted_name|birthday/.test(place)) continue
    await assertAccepted(changed(EXAMPLES.contacts, place, ''), place)
  }
})
