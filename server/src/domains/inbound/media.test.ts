import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMetadata, type Channel, type InboundFixture, startInbound } from './test/fixture.ts'
import { buildText } from './test/samples.ts'

const KINDS = ['image', 'video', 'document', 'audio', 'sticker']

function media(id: unknown) {
  return { id, mime_type: 'image/jpeg', sha256: 'bWVkaWE=', url: 'https://lookaside.example/1' }
}

function change(fixture: InboundFixture, field: string, value: object) {
  return fixture.deliver({
    id: fixture.channel.number.wabaId,
    changes: [{ field, value: { ...buildMetadata(fixture.channel), ...value } }],
  })
}

async function listMediaRows({ sql, channel }: InboundFixture, of: Channel = channel) {
  return sql<{ media_id: string; mime_type: string | null; sha256: string | null; size_bytes: string | null }[]>`
    select media_id, mime_type, sha256, size_bytes from channel_media where channel_id = ${of.id} order by media_id`
}

test('files of every type in received messages belong to the channel', async (t) => {
  const fixture = await startInbound(t)
  const other = await fixture.connectAnother()

  await fixture.deliverMessages({
    messages: KINDS.map((type, i) => buildText(`wamid.${i}`, { type, [type]: media(`10${i}`) })),
  })

  const kept = await listMediaRows(fixture)
  assert.deepEqual(
    kept.map((row) => ({ ...row })),
    KINDS.map((_, i) => ({ media_id: `10${i}`, mime_type: 'image/jpeg', sha256: 'bWVkaWE=', size_bytes: null })),
  )
  assert.deepEqual([...(await listMediaRows(fixture, other))], [])
})

for (const [what, field, value] of [
  ['an echo', 'smb_message_echoes', { message_echoes: [{ id: 'wamid.1', type: 'image', image: media('7') }] }],
  [
    'an edit',
    'messages',
    {
      messages: [
        {
          id: 'wamid.1',
          type: 'edit',
          edit: { original_message_id: 'w', message: { type: 'image', image: media('7') } },
        },
      ],
    },
  ],
  [
    'an edit in the business app',
    'smb_message_echoes',
    { message_echoes: [{ id: 'wamid.1', type: 'edit', edit: { message: { type: 'video', video: media('7') } } }] },
  ],
  ['the follow-up of a history', 'history', { messages: [{ id: 'wamid.1', type: 'audio', audio: media('7') }] }],
] as [string, string, object][]) {
  test(`the file of ${what} belongs to the channel`, async (t) => {
    const fixture = await startInbound(t)

    await change(fixture, field, value)

    assert.deepEqual(
      (await listMediaRows(fixture)).map(({ media_id }) => media_id),
      ['7'],
    )
  })
}

test('a file id that is a number beyond 2^53 keeps its digits', {
  rules: ['callback.large-ids-survive'],
}, async (t) => {
  const fixture = await startInbound(t)
  const value = JSON.stringify({
    ...buildMetadata(fixture.channel),
    messages: [buildText('wamid.1', { image: { id: 0 } })],
  })
  const exact = value.replace('"image":{"id":0}', '"image":{"id":9007199254740993}')

  await fixture.post(`{"entry":[{"id":"1","changes":[{"field":"messages","value":${exact}}]}]}`)

  assert.equal((await listMediaRows(fixture))[0]?.media_id, '9007199254740993')
})

test('a file that the channel uploaded or received before is unchanged', async (t) => {
  const fixture = await startInbound(t)
  const { organizationId } = fixture.acme
  await fixture.sql`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, size_bytes, sha256)
    values (${organizationId}, ${fixture.channel.id}, '7', 'image/png', 5, 'own')`

  await fixture.deliverMessages({
    messages: [buildText('a', { image: media('7') }), buildText('b', { image: media('7') })],
  })

  const [row, ...others] = await listMediaRows(fixture)
  assert.deepEqual([row?.mime_type, row?.sha256, others.length], ['image/png', 'own', 0])
})

test('a history and a sync of contacts are raw events only, without log entries and files', async (t) => {
  const fixture = await startInbound(t)
  const thread = { id: '5511', messages: [buildText('wamid.1', { type: 'image', image: media('7') })] }

  await change(fixture, 'history', { history: [{ metadata: { phase: 0 }, threads: [thread] }] })
  await change(fixture, 'history', { history: [{ errors: [{ code: 2593109 }] }] })
  await change(fixture, 'smb_app_state_sync', { state_sync: [{ type: 'contact', contact: {}, action: 'add' }] })

  assert.deepEqual(await fixture.log(), [])
  assert.deepEqual([...(await listMediaRows(fixture))], [])
  assert.equal((await fixture.rawEvents()).length, 3)
})

test('the history of a number with coexistence is published as raw events, and is not logged', async (t) => {
  const fixture = await startInbound(t)
  const number = await fixture.up.number({ coexistence: true })
  const { id } = await fixture.connect(fixture.acme, { number })

  await fixture.up.simulator.control('POST', '/clock', { advance_seconds: 3600 })

  const fields = (await fixture.rawEvents({ id })).map((raw) => JSON.parse(`${raw}`).entry[0].changes[0].field)
  assert.deepEqual(fields.sort(), ['history', 'history', 'history', 'smb_app_state_sync'])
  assert.deepEqual(await fixture.log({ ...fixture.channel, id }), [])
})
