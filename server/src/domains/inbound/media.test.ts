import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from './test/samples.ts'
import { type Channel, framed, type Scene, startInbound } from './test/scene.ts'

const KINDS = ['image', 'video', 'document', 'audio', 'sticker']

function media(id: unknown) {
  return { id, mime_type: 'image/jpeg', sha256: 'bWVkaWE=', url: 'https://lookaside.example/1' }
}

function change(scene: Scene, field: string, value: object) {
  return scene.deliver({
    id: scene.channel.number.wabaId,
    changes: [{ field, value: { ...framed(scene.channel), ...value } }],
  })
}

async function mediaOf({ sql, channel }: Scene, of: Channel = channel) {
  return sql<{ media_id: string; mime_type: string | null; sha256: string | null; size_bytes: string | null }[]>`
    select media_id, mime_type, sha256, size_bytes from channel_media where channel_id = ${of.id} order by media_id`
}

test('the files of received messages belong to the channel, of every kind', async (t) => {
  const scene = await startInbound(t)
  const other = await scene.another()

  await scene.say({ messages: KINDS.map((type, i) => textMessage(`wamid.${i}`, { type, [type]: media(`10${i}`) })) })

  const kept = await mediaOf(scene)
  assert.deepEqual(
    kept.map((row) => ({ ...row })),
    KINDS.map((_, i) => ({ media_id: `10${i}`, mime_type: 'image/jpeg', sha256: 'bWVkaWE=', size_bytes: null })),
  )
  assert.deepEqual([...(await mediaOf(scene, other))], [])
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
    const scene = await startInbound(t)

    await change(scene, field, value)

    assert.deepEqual(
      (await mediaOf(scene)).map(({ media_id }) => media_id),
      ['7'],
    )
  })
}

test('a file id that is a number beyond 2^53 is kept to the digit', { rules: ['D8-09'] }, async (t) => {
  const scene = await startInbound(t)
  const value = JSON.stringify({ ...framed(scene.channel), messages: [textMessage('wamid.1', { image: { id: 0 } })] })
  const exact = value.replace('"image":{"id":0}', '"image":{"id":9007199254740993}')

  await scene.post(`{"entry":[{"id":"1","changes":[{"field":"messages","value":${exact}}]}]}`)

  assert.equal((await mediaOf(scene))[0]?.media_id, '9007199254740993')
})

test('a file that is seen again, or was uploaded by the channel, stays as it was', async (t) => {
  const scene = await startInbound(t)
  const { organizationId } = scene.acme
  await scene.sql`
    insert into channel_media (organization_id, channel_id, media_id, mime_type, size_bytes, sha256)
    values (${organizationId}, ${scene.channel.id}, '7', 'image/png', 5, 'own')`

  await scene.say({ messages: [textMessage('a', { image: media('7') }), textMessage('b', { image: media('7') })] })

  const [row, ...others] = await mediaOf(scene)
  assert.deepEqual([row?.mime_type, row?.sha256, others.length], ['image/png', 'own', 0])
})

test('a history and a sync of contacts are passed on raw, and leave the log and the files alone', async (t) => {
  const scene = await startInbound(t)
  const thread = { id: '5511', messages: [textMessage('wamid.1', { type: 'image', image: media('7') })] }

  await change(scene, 'history', { history: [{ metadata: { phase: 0 }, threads: [thread] }] })
  await change(scene, 'history', { history: [{ errors: [{ code: 2593109 }] }] })
  await change(scene, 'smb_app_state_sync', { state_sync: [{ type: 'contact', contact: {}, action: 'add' }] })

  assert.deepEqual(await scene.log(), [])
  assert.deepEqual([...(await mediaOf(scene))], [])
  assert.equal((await scene.raws()).length, 3)
})

test('a number that stays on the business app hands over its past, which is raw and no part of the log', async (t) => {
  const scene = await startInbound(t)
  const number = await scene.up.number({ coexistence: true })
  const { id } = await scene.connect(scene.acme, { number })

  await scene.up.simulator.control('POST', '/clock', { advance_seconds: 3600 })

  const fields = (await scene.raws({ id })).map((raw) => JSON.parse(`${raw}`).entry[0].changes[0].field)
  assert.deepEqual(fields.sort(), ['history', 'history', 'history', 'smb_app_state_sync'])
  assert.deepEqual(await scene.log({ ...scene.channel, id }), [])
})
