// Runs in a project that has nothing but the package of the SDK, on each version of Node that the SDK supports.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Hub, verifyWebhook } from '@hubline/sdk'

const [step, port] = process.argv.slice(2)
const hub = new Hub({ url: process.env.HUBLINE_URL, credential: process.env.HUBLINE_KEY })

/** Creates a channel, and prints the link that connects a number. */
async function create() {
  const { channel } = await hub.channels.create({ name: 'Shop' })
  const { connect_url } = await hub.channels.createConnectLink(channel.id)
  console.log(JSON.stringify({ id: channel.id, connect_url }))
}

/** Waits for the first webhook, and answers the message in it. */
async function receive() {
  const server = createServer()
  await once(server.listen(Number(port), '127.0.0.1'), 'listening')
  const { webhook, secret } = await hub.webhooks.create({
    name: 'Receiver',
    url: `http://127.0.0.1:${port}/hook`,
    event_types: ['message.received'],
  })
  console.log('listening')
  const [request, response] = await once(server, 'request')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const event = await verifyWebhook(secret, request.headers, Buffer.concat(chunks))
  response.writeHead(204).end()
  const { from } = event.data.message
  const { message } = await hub.messages.send(event.channel_id, { to: from, type: 'text', text: { body: 'Olá' } })
  await hub.webhooks.delete(webhook.id)
  console.log(`verified ${event.event}, answered with ${message.status}`)
  server.close()
  server.closeAllConnections()
}

await (step === 'create' ? create() : receive())
