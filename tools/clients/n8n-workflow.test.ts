import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

type Condition = { leftValue: string; rightValue: string }
type Node = {
  name: string
  type: string
  parameters: { url?: string; jsonBody?: string; secret?: string; conditions?: { conditions: Condition[] } }
}
type Workflow = { nodes: Node[]; connections: Record<string, { main: { node: string }[][] }> }

const FILE = join(import.meta.dirname, '../../docs/guides/n8n-workflow.json')
const workflow: Workflow = JSON.parse(readFileSync(FILE, 'utf8'))
const MESSAGE = { from: '5511999990000', id: 'wamid.1', type: 'text', text: { body: 'Olá' } }

/** Builds the input that the nodes before the condition pass to it, for a delivery that was signed with `secret`. */
function receive(message: object, secret: string) {
  const value = { metadata: { phone_number_id: '1234' }, messages: [message] }
  const body = { object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages', value }] }] }
  const sign = (key: string) => createHmac('sha256', key).update(JSON.stringify(body)).digest('hex')
  const known = findNode('n8n-nodes-base.crypto').parameters.secret ?? ''
  return { body, headers: { 'x-hub-signature-256': `sha256=${sign(secret)}` }, signature: sign(known) }
}

function findNode(type: string): Node {
  const node = workflow.nodes.find((one) => one.type === type)
  assert.ok(node, type)
  return node
}

/** A value as n8n evaluates it: after `=`, what stands in double braces is JavaScript. */
function evaluate(text: string, item: object): string {
  if (!text.startsWith('=')) return text
  return text
    .slice(1)
    .replaceAll(/\{\{(.*?)\}\}(?!\})/gs, (_found, code) => new Function('$json', `return ${code}`)(item))
}

function isAnswered(item: object): boolean {
  const { conditions } = findNode('n8n-nodes-base.if').parameters
  return (
    conditions?.conditions.every((one) => evaluate(one.leftValue, item) === evaluate(one.rightValue, item)) ?? false
  )
}

test('every connection of the workflow for n8n leads to one of its nodes', () => {
  const names = workflow.nodes.map(({ name }) => name)
  const ends = Object.values(workflow.connections).flatMap(({ main }) => main.flat().map(({ node }) => node))

  assert.deepEqual(
    [...Object.keys(workflow.connections), ...ends].filter((name) => !names.includes(name)),
    [],
  )
})

test('the workflow for n8n answers only texts that are signed with the secret of the endpoint', () => {
  assert.equal(isAnswered(receive(MESSAGE, 'whsec_…')), true)
  assert.equal(isAnswered(receive(MESSAGE, 'another')), false)
  assert.equal(isAnswered(receive({ ...MESSAGE, type: 'image' }, 'whsec_…')), false)
})

test('the workflow for n8n sends its answer to the contact, from the number that was written to', () => {
  const { url = '', jsonBody = '' } = findNode('n8n-nodes-base.httpRequest').parameters
  const item = receive(MESSAGE, 'whsec_…')

  assert.equal(evaluate(url, item), 'https://hub.example.com/graph/v25.0/1234/messages')
  assert.deepEqual(JSON.parse(evaluate(jsonBody, item)), {
    messaging_product: 'whatsapp',
    to: MESSAGE.from,
    type: 'text',
    text: { body: 'You wrote: Olá' },
  })
})
