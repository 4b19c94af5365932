import assert from 'node:assert/strict'
import { test } from 'node:test'
import { echoOf, statusOf, textMessage } from '../inbound/test/samples.ts'
import { AT, framed, iso, type Scene, startInbound } from '../inbound/test/scene.ts'

/** What the log says of each message, newest first. */
async function shown({ acme, channel }: Scene): Promise<[name: string, createdAt: string, type: string][]> {
  const { body } = await acme.get(`/api/v1/channels/${channel.id}/messages`)
  return body.data.messages.map((entry: Record<string, string>) => {
    return [entry.upstream_message_id, entry.created_at, entry.type]
  })
}

test('the log is in the order in which messages came to the hub, and each has the time that the upstream gives it', {
  rules: ['D7-36'],
}, async (t) => {
  const scene = await startInbound(t)

  await scene.say({ messages: [textMessage('wamid.1', { timestamp: String(AT + 60) })] })
  await scene.say({ messages: [textMessage('wamid.2', { timestamp: String(AT) })] })
  await scene.say({ messages: [textMessage('wamid.3', { timestamp: String(AT + 30) })] })

  assert.deepEqual(await shown(scene), [
    ['wamid.3', iso(AT + 30), 'text'],
    ['wamid.2', iso(AT), 'text'],
    ['wamid.1', iso(AT + 60), 'text'],
  ])
})

test('a message of which the hub first hears by a status keeps its place when its echo comes', async (t) => {
  const scene = await startInbound(t)
  const echo = echoOf(scene.channel.digits, 'wamid.mine', { timestamp: String(AT + 50) })
  const change = { field: 'smb_message_echoes', value: { ...framed(scene.channel), message_echoes: [echo] } }

  await scene.say({ statuses: [statusOf('wamid.mine', 'sent', { timestamp: String(AT + 60) })] })
  await scene.say({ messages: [textMessage('wamid.theirs', { timestamp: String(AT) })] })
  const before = await shown(scene)
  await scene.deliver({ id: scene.channel.number.wabaId, changes: [change] })

  const theirs = ['wamid.theirs', iso(AT), 'text']
  assert.deepEqual(before, [theirs, ['wamid.mine', iso(AT + 60), 'unknown']])
  assert.deepEqual(await shown(scene), [theirs, ['wamid.mine', iso(AT + 50), 'text']])
})
