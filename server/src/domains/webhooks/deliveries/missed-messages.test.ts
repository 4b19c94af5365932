import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../../test/receiver.ts'
import { textMessage } from '../../inbound/test/samples.ts'
import { startInbound } from '../../inbound/test/scene.ts'
import { reaching, verbs } from './test/scene.ts'

for (const status of ['paused', 'disabled']) {
  test(`a message that comes while its endpoint is ${status} makes no delivery, and is in the message log`, {
    rules: ['RTY-06', 'RTY-07', 'STW-07'],
  }, async (t) => {
    const receiver = await startReceiver(t)
    const { hub, acme, channel, say } = await startInbound(t, { env: reaching(receiver) })
    const { endpoint, patch, log, arrived } = verbs(hub, receiver, acme)
    const crm = await endpoint({ event_types: ['message.received'] })
    await say({ messages: [textMessage('wamid.before')] })
    await hub.deliver()

    await patch(crm, { status })
    await say({ messages: [textMessage('wamid.meanwhile')] })
    await patch(crm, { status: 'active' })
    await say({ messages: [textMessage('wamid.after')] })
    await hub.deliver()

    assert.equal(arrived(crm).length, 2)
    assert.equal((await log(crm)).length, 2)
    assert.ok(arrived(crm).every(({ body }) => !body.includes('wamid.meanwhile')))
    const page = await acme.get(`/api/v1/channels/${channel.id}/messages?direction=inbound`)
    const names = page.body.data.messages.map((entry: { upstream_message_id: string }) => entry.upstream_message_id)
    assert.deepEqual(names, ['wamid.after', 'wamid.meanwhile', 'wamid.before'])
  })
}
