import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCall } from './api-call.ts'

test('the call of the API has the filters of the log that the API knows', () => {
  const call = describeCall({
    channel_id: 'c1',
    direction: 'inbound',
    type: 'text',
    person: 5511955500199,
    name: 'Bruno',
  })

  assert.equal(call.path, '/api/v1/channels/c1/messages?direction=inbound&type=text&person=5511955500199')
  assert.match(call.sdk, /list\('c1', \{"direction":"inbound","type":"text","person":"5511955500199"\}\)/)
})

test('the call of the API finds a message by the id of the upstream, and a person by user id', () => {
  const byId = describeCall({ channel_id: 'c1', id: 'wamid.HBg=' })
  const byPerson = describeCall({ channel_id: 'c1', person: 'BR.1349120865' })

  assert.equal(byId.path, '/api/v1/channels/c1/messages?upstream_message_id=wamid.HBg%3D')
  assert.equal(byPerson.path, '/api/v1/channels/c1/messages?person=BR.1349120865')
})

test('the call of the API without a filter has none', () => {
  const { path, sdk } = describeCall({})

  assert.equal(path, '/api/v1/channels/CHANNEL_ID/messages')
  assert.match(sdk, /list\('CHANNEL_ID'\)/)
})
