import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Channel } from '@hubline/sdk/console'
import { type ChannelsSearch, filterChannels, hasChannelText, parseChannelsSearch } from './search.ts'

function channel(more: Partial<Channel>): Channel {
  return {
    id: '01a1e042-6c20-7b93-a4d8-f15e02c97b46',
    name: 'Farmácia São João',
    external_id: null,
    verified_name: null,
    phone_number_id: '109',
    display_phone_number: '+55 11 95550-0199',
    status: 'active',
    quality_rating: 'GREEN',
    coexistence: false,
    ...more,
  } as Channel
}

test('a channel is found by its names, its ids and its number as people write it', () => {
  const found = ['farmacia', 'SÃO', '01a1e042', '109', '5511955500199', '(11) 95550', '95550 0199', '+55 11 95550-0199']
  for (const q of found) assert.ok(hasChannelText(channel({ external_id: 'loja-7' }), q), q)
  assert.ok(hasChannelText(channel({ external_id: 'loja-7' }), 'LOJA'))
  assert.ok(hasChannelText(channel({ verified_name: 'Drogaria' }), 'drog'))
})

test('digits within other text, or fewer than four with other signs, find no number', () => {
  for (const q of ['loja 9555', '1-1', 'padaria']) assert.ok(!hasChannelText(channel({}), q), q)
  assert.ok(!hasChannelText(channel({ display_phone_number: null, phone_number_id: null }), '95550'))
})

test('all filters hold at once, and a channel without a number has no answer on coexistence', () => {
  const channels = [
    channel({ id: 'a' }),
    channel({ id: 'b', coexistence: true, quality_rating: 'RED' }),
    channel({ id: 'c', status: 'pending', phone_number_id: null }),
  ]
  const rows: [ChannelsSearch, string][] = [
    [{}, 'abc'],
    [{ status: 'active' }, 'ab'],
    [{ coexistence: 'no' }, 'a'],
    [{ coexistence: 'yes' }, 'b'],
    [{ quality: 'GREEN' }, 'ac'],
    [{ quality: 'GREEN', status: 'active' }, 'a'],
    [{ q: 'padaria' }, ''],
  ]
  for (const [search, ids] of rows) {
    const found = filterChannels(channels, search).map(({ id }) => id)
    assert.equal(found.join(''), ids, JSON.stringify(search))
  }
})

test('a text of digits is a text, and what the page does not offer is left out', () => {
  assert.deepEqual(
    parseChannelsSearch({ q: 5511, status: 'lost', quality: 'green', coexistence: true, create: 'true' }),
    {
      q: '5511',
    },
  )
})
