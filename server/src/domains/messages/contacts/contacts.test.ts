import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { openRecordingPool } from '../../../../test/query-plans.ts'
import { buildMetadata, startInbound } from '../../inbound/test/fixture.ts'
import { buildEcho, buildStatus, buildText } from '../../inbound/test/samples.ts'

const TYPED = '5511976543210'
const WA_ID = '551176543210'
const USER_ID = 'BR.1349ana'
const ANA = { profile: { name: 'Ána Souza', username: 'ana.souza' }, wa_id: WA_ID, user_id: USER_ID }

async function startPeople(t: TestContext, options: Parameters<typeof startInbound>[1] = {}) {
  const fixture = await startInbound(t, options)
  const { hub, acme } = fixture
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })

  /** The upstream's ids of the messages that a search finds, newest first. */
  async function search(query: string, who: Client = viewer): Promise<string[]> {
    const { status, text, body } = await who.get(`/console/messages?${query}`)
    assert.equal(status, 200, text)
    return body.data.messages.map((message: { upstream_message_id: string }) => message.upstream_message_id)
  }

  const listContacts = (of: { organizationId: string } = acme) => hub.sql`
    select wa_id, user_id, parent_user_id, username, name, xmin::text as version
    from contacts
    where organization_id = ${of.organizationId}
    order by user_id, wa_id`

  return { ...fixture, viewer, search, listContacts }
}

function inbound(id: string, contact: { wa_id?: string; user_id?: string; profile: object } = ANA) {
  const from = {
    ...(contact.wa_id && { from: contact.wa_id }),
    ...(contact.user_id && { from_user_id: contact.user_id }),
  }
  const { from: _, ...message } = buildText(id)
  return { contacts: [contact], messages: [{ ...message, ...from }] }
}

test('a person is found by number in either spelling, user id, beginning of name or username, and end of number', {
  rules: ['person.owns-messages-by-user-id', 'person.search-takes-number-name-and-digits'],
}, async (t) => {
  const { deliverMessages, search } = await startPeople(t)
  await deliverMessages(inbound('wamid.ana'))
  await deliverMessages(
    inbound('wamid.other', { profile: { name: 'Bruno Ana' }, wa_id: '5511988887777', user_id: 'BR.2' }),
  )

  for (const query of [
    `person=${TYPED}`,
    `person=${WA_ID}`,
    `person=%2B${encodeURIComponent('55 (11) 97654-3210')}`,
    `person=${USER_ID}`,
    'name=ana',
    'name=%C3%81NA%20s',
    'name=Ana.S',
    'number_end=3210',
    'number_end=976543210',
    'number_end=1176543210',
    `name=ana&number_end=3210&person=${USER_ID}`,
  ]) {
    assert.deepEqual(await search(query), ['wamid.ana'], query)
  }
  for (const query of ['person=76543210', 'name=souza', 'number_end=43211', 'name=ana&number_end=7777']) {
    assert.deepEqual(await search(query), [], query)
  }
})

test('messages to a number, and those that its person writes, belong to one person', {
  rules: ['person.owns-messages-by-user-id'],
}, async (t) => {
  const { send, deliverMessages, search } = await startPeople(t)
  const first = await send({ to: TYPED, type: 'text', text: { body: 'x' } })
  await deliverMessages(inbound('wamid.reply'))
  await deliverMessages({
    contacts: [ANA],
    statuses: [buildStatus(first.wamid, 'delivered', { recipient_id: WA_ID, recipient_user_id: USER_ID })],
  })
  const second = await send({ to: TYPED, type: 'text', text: { body: 'y' } })

  for (const query of [`person=${TYPED}`, `person=${USER_ID}`, 'name=ana']) {
    assert.deepEqual(await search(query), [second.wamid, 'wamid.reply', first.wamid], query)
  }
})

test('a person who hides the number is found by user id and username, and by the number once it is known', {
  rules: ['person.owns-messages-by-user-id'],
}, async (t) => {
  const { deliverMessages, search } = await startPeople(t)
  const hidden = { profile: { name: 'Ana', username: 'ana.souza' }, user_id: USER_ID }

  await deliverMessages(inbound('wamid.hidden', hidden))

  assert.deepEqual(await search(`person=${USER_ID}`), ['wamid.hidden'])
  assert.deepEqual(await search('name=ana.souza'), ['wamid.hidden'])
  assert.deepEqual(await search(`person=${TYPED}`), [])
  await deliverMessages(inbound('wamid.shown'))
  assert.deepEqual(await search(`person=${TYPED}`), ['wamid.shown', 'wamid.hidden'])
})

test('a number that changes hands belongs to two people, of whom each user id finds one', {
  rules: ['person.owns-messages-by-user-id'],
}, async (t) => {
  const { deliverMessages, search } = await startPeople(t)

  await deliverMessages(inbound('wamid.ana'))
  await deliverMessages(inbound('wamid.heir', { profile: { name: 'Heir' }, wa_id: WA_ID, user_id: 'BR.heir' }))

  assert.deepEqual(await search(`person=${USER_ID}`), ['wamid.ana'])
  assert.deepEqual(await search('person=BR.heir'), ['wamid.heir'])
  assert.deepEqual(await search(`person=${TYPED}`), ['wamid.heir', 'wamid.ana'])
})

test('a number that the upstream writes otherwise is found as the client wrote it too', {
  rules: ['person.owns-messages-by-user-id'],
}, async (t) => {
  const { send, deliverMessages, search } = await startPeople(t)
  const [typed, waId] = ['541122334455', '5491122334455']
  const { wamid } = await send({ to: typed, type: 'text', text: { body: 'x' } })
  await deliverMessages({
    contacts: [{ profile: { name: 'Eva' }, wa_id: waId, user_id: 'AR.eva' }],
    statuses: [buildStatus(wamid, 'sent', { recipient_id: waId, recipient_user_id: 'AR.eva' })],
  })

  for (const query of [`person=${typed}`, `person=${waId}`, 'person=AR.eva', 'name=eva']) {
    assert.deepEqual(await search(query), [wamid], query)
  }
})

test('echoes belong to the person to whom they went, and a message of a group to none but its sender', {
  rules: ['person.owns-messages-by-user-id'],
}, async (t) => {
  const { channel, deliver, deliverMessages, search, listContacts } = await startPeople(t)
  const value = {
    ...buildMetadata(channel),
    contacts: [ANA],
    message_echoes: [buildEcho(channel.digits, 'wamid.echo', { to: WA_ID })],
  }
  await deliver({ id: channel.number.wabaId, changes: [{ field: 'smb_message_echoes', value }] })
  await deliverMessages({
    statuses: [
      buildStatus('wamid.group', 'delivered', {
        recipient_id: '120363000000000001',
        recipient_type: 'group',
        recipient_participant_id: '5511900000001',
      }),
    ],
  })

  assert.deepEqual(await search(`person=${TYPED}`), ['wamid.echo'])
  assert.deepEqual(await search('person=5511900000001'), [])
  assert.equal((await listContacts()).length, 1)
})

test('nothing is written of a person of whom nothing new is known', {
  rules: ['person.costs-no-statement'],
}, async (t) => {
  const { send, deliverMessages, listContacts } = await startPeople(t)
  await deliverMessages(inbound('wamid.1'))
  const before = await listContacts()

  await deliverMessages(inbound('wamid.2'))
  const { wamid } = await send({ to: TYPED, type: 'text', text: { body: 'x' } })
  await deliverMessages({
    contacts: [ANA],
    statuses: [buildStatus(wamid, 'read', { recipient_id: WA_ID, recipient_user_id: USER_ID })],
  })

  assert.deepEqual(await listContacts(), before)
  await deliverMessages(inbound('wamid.3', { ...ANA, profile: { ...ANA.profile, name: 'Ana Lima' } }))
  const [renamed] = await listContacts()
  assert.deepEqual([renamed?.name, renamed?.username, renamed?.wa_id], ['Ana Lima', 'ana.souza', WA_ID])
})

test('callbacks about one person at once make one contact, and lose nothing of it', {
  rules: ['person.concurrent-news-make-one-contact'],
}, async (t) => {
  const { send, deliverMessages, listContacts, search } = await startPeople(t)
  const parts = [
    { profile: { name: 'Ana' }, user_id: USER_ID },
    { profile: {}, wa_id: WA_ID, user_id: USER_ID },
    { profile: { username: 'ana.souza' }, user_id: USER_ID },
    { profile: {}, user_id: USER_ID, parent_user_id: 'BR.ENT.1' },
  ]

  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => deliverMessages(inbound(`wamid.${n}`, parts[n % parts.length]))),
    ...Array.from({ length: 4 }, () => send({ to: TYPED, type: 'text', text: { body: 'x' } })),
  ])

  const [contact] = (await listContacts()).filter(({ user_id }) => user_id !== null)
  assert.deepEqual(
    [contact?.name, contact?.wa_id, contact?.username, contact?.parent_user_id],
    ['Ana', WA_ID, 'ana.souza', 'BR.ENT.1'],
  )
  assert.equal((await search(`person=${TYPED}&limit=100`)).length, 24)
})

test('another organization finds none of the people, and its own person of the same number apart', {
  rules: ['person.search-stays-in-its-organization'],
}, async (t) => {
  const { hub, channel, connectAnother, deliver, deliverMessages, search } = await startPeople(t)
  const other = await connectAnother()
  const outsider = await hub.person({ organizationId: other.owner.organizationId, role: 'viewer' })
  await deliverMessages(inbound('wamid.ana'))

  for (const query of [`person=${TYPED}`, `person=${USER_ID}`, 'name=ana', 'number_end=3210']) {
    assert.deepEqual(await search(query, outsider), [], query)
    assert.deepEqual(await search(`${query}&channel_id=${channel.id}`, outsider), [], query)
  }
  await deliver({
    id: other.number.wabaId,
    changes: [{ field: 'messages', value: { ...buildMetadata(other), ...inbound('wamid.theirs') } }],
  })
  assert.deepEqual(await search('name=ana', outsider), ['wamid.theirs'])
  assert.deepEqual(await search('name=ana'), ['wamid.ana'])
})

test('more people than a page can read are a 400 that asks for more of the name', {
  rules: ['person.search-takes-number-name-and-digits'],
}, async (t) => {
  const { viewer, deliverMessages } = await startPeople(t)
  for (let group = 0; group < 3; group++) {
    const people = Array.from({ length: 40 }, (_, n) => {
      const number = String(5511900000000 + group * 40 + n)
      return { profile: { name: `Maria ${group}` }, wa_id: number, user_id: `BR.${number}` }
    })
    await deliverMessages(...people.map((person) => inbound(`wamid.${person.wa_id}`, person)))
  }

  const refused = await viewer.get('/console/messages?name=maria')
  const narrower = await viewer.get('/console/messages?name=maria%201&limit=100')

  assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_REQUEST'])
  assert.match(refused.body.error.message, /More than 100 people match/)
  assert.equal(narrower.body.data.messages.length, 40)
})

test('pages of several people go on where the one before ended', {
  rules: ['person.search-takes-number-name-and-digits'],
}, async (t) => {
  const { viewer, deliverMessages } = await startPeople(t)
  const ids = Array.from({ length: 12 }, (_, n) => `wamid.${n}`)
  for (const [n, id] of ids.entries()) {
    await deliverMessages(
      inbound(id, { profile: { name: `Ana ${n % 5}` }, wa_id: `551190000000${n % 5}`, user_id: `BR.${n % 5}` }),
    )
  }

  for (const filter of ['name=ana', 'name=ana&type=text', 'name=ana&direction=inbound']) {
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { status, body } = await viewer.get(`/console/messages?${filter}&limit=3${cursor && `&cursor=${cursor}`}`)
      assert.equal(status, 200)
      found.push(...body.data.messages.map((message: { upstream_message_id: string }) => message.upstream_message_id))
      cursor = body.data.next_cursor
    }
    assert.deepEqual(found, ids.toReversed(), filter)
  }
})

test('a send and a callback have no statement more because of their people', {
  rules: ['person.costs-no-statement'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const { send, deliverMessages } = await startPeople(t, { installation: { sql }, hasTimers: false })
  await send({ to: TYPED, type: 'text', text: { body: 'x' } })
  statements.length = 0

  await send({ to: '5511900000009', type: 'text', text: { body: 'x' } })
  await deliverMessages(inbound('wamid.1'))

  const withContacts = statements.filter(({ text }) => /\bcontacts\b/.test(text)).map(({ text }) => text)
  assert.equal(withContacts.length, 2)
  for (const text of withContacts) assert.match(text, /unsettled_sends/)
  // The function that takes the callback writes its people.
  assert.equal(statements.filter(({ text }) => /take_callbacks_\d/.test(text)).length, 1)
})

test('names that no index could take, and texts that no database could, break no callback', async (t) => {
  const { deliverMessages, search } = await startPeople(t)
  const long = { profile: { name: `Ana${'x'.repeat(9000)}\0\ud800`, username: 'u'.repeat(5000) }, user_id: USER_ID }

  await deliverMessages(inbound('wamid.long', long))

  assert.deepEqual(await search('name=anaxxx'), ['wamid.long'])
})

test('retention removes a contact whose messages are gone, and no other', {
  rules: ['person.contact-follows-its-messages'],
}, async (t) => {
  const { hub, deliverMessages, listContacts } = await startPeople(t, { env: { RETENTION_MESSAGES_DAYS: '5' } })
  await deliverMessages(inbound('wamid.old'))
  await hub.clock.advance('4 days')
  await hub.runJobs()
  await deliverMessages(inbound('wamid.new', { profile: { name: 'Bruno' }, wa_id: '5511988887777', user_id: 'BR.2' }))
  assert.equal((await listContacts()).length, 2)

  await hub.clock.advance('3 days')
  await hub.runJobs()

  assert.deepEqual(
    (await listContacts()).map(({ name }) => name),
    ['Bruno'],
  )
})

test('an online migration gives the messages of before their people', {
  rules: ['person.older-messages-get-theirs'],
}, async (t) => {
  const { hub, acme, send, deliverMessages, search, listContacts } = await startPeople(t)
  const { wamid } = await send({ to: '5511900000042', type: 'text', text: { body: 'x' } })
  await deliverMessages(inbound('wamid.ana'))
  await deliverMessages(inbound('wamid.hidden', { profile: { name: 'Eva\0' }, user_id: 'BR.eva' }))
  const expected = (await listContacts()).map(({ version, ...contact }) => contact)
  const ids =
    await hub.sql`select id, contact_id from messages where organization_id = ${acme.organizationId} order by id`
  await hub.sql`delete from contacts where organization_id = ${acme.organizationId}`
  await hub.sql`update messages set contact_id = null where organization_id = ${acme.organizationId}`
  const file = join(import.meta.dirname, '../../../../migrations/0046-contacts-of-messages.online.sql')
  const [, backfill = ''] = (await readFile(file, 'utf8')).split('-- backfill\n')

  let place: string | null = `${acme.organizationId} 00000000-0000-0000-0000-000000000000`
  while (place !== null) {
    const [row] = await hub.sql.unsafe(backfill.replaceAll('$1', `'${place}'`))
    place = row?.next ?? null
  }

  assert.deepEqual(
    [
      ...(await hub.sql`select id, contact_id from messages where organization_id = ${acme.organizationId} order by id`),
    ],
    // PostgreSQL cannot read the user id beside a name with a NUL, and there is no number either.
    ids.map((row, n) => (n === 2 ? { ...row, contact_id: null } : row)),
  )
  assert.deepEqual(
    (await listContacts()).map(({ version, ...contact }) => contact),
    expected.filter(({ user_id }) => user_id !== 'BR.eva'),
  )
  assert.deepEqual(await search('name=ana'), ['wamid.ana'])
  assert.deepEqual(await search('number_end=0042'), [wamid])
})
