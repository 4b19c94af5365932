import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startHubWithUpstream } from '../../server/test/hub-with-upstream.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { newConfigDirectory, run, start, startInTerminal } from './program.ts'

/** A hub with a connected channel, and a program that is signed in by the environment. */
async function startCli(t: TestContext) {
  const receiver = await startReceiver(t)
  const env = { BILLING: 'off', WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination }
  const fixture = await startHubWithUpstream(t, { env })
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  const directory = await newConfigDirectory(t)
  const signedIn = { HUBLINE_CONFIG_DIR: directory, HUBLINE_URL: fixture.hub.url, HUBLINE_KEY: acme.key }
  const cli = (...args: string[]) => run(args, signedIn)
  return { ...fixture, receiver, acme, channel, directory, signedIn, cli }
}

// One hub for all: to start one takes longer than most of them.
test('the commands work against a hub', async (t) => {
  const { hub, acme, channel, receiver, directory, signedIn, cli } = await startCli(t)

  await t.test(
    'login stores a key of standard input in a file of the user alone, and other commands use it',
    { rules: ['CLI-02', 'CLI-03', 'CLI-04'] },
    async () => {
      const env = { HUBLINE_CONFIG_DIR: directory }

      const refused = await run(['login', '--url', hub.url], env, `${acme.key.slice(0, -6)}AAAAAA\n`)
      const wrong = await run(['login', '--url', hub.url], env, 'hub_ch_x\n')
      const before = await run(['channels'], env)
      const signedIn = await run(['login', '--url', `${hub.url}/`], env, `${acme.key}\n`)
      const after = await run(['channels', '--json'], env)
      const elsewhere = await run(['channels'], { ...env, HUBLINE_URL: 'https://hub.example.com' })

      assert.deepEqual([refused.code, wrong.code, before.code], [3, 2, 3])
      assert.equal(signedIn.code, 0, signedIn.stderr)
      assert.ok(!`${signedIn.stdout}${signedIn.stderr}`.includes(acme.key))
      const file = join(directory, 'config.json')
      assert.equal((await stat(file)).mode & 0o777, 0o600)
      assert.equal(after.json().length, 1)
      // The key must not be sent to a host that it was not given for.
      assert.equal(elsewhere.code, 3)
      assert.match(elsewhere.stderr, /The stored key belongs to/)
    },
  )

  await t.test('login at a terminal asks for the key without showing it', { rules: ['CLI-03'] }, async (t) => {
    const program = startInTerminal(t, ['login'], { HUBLINE_CONFIG_DIR: await newConfigDirectory(t) })

    await program.prints(/URL of the hub \[http:\/\/localhost:8080\]: /)
    program.type(`${hub.url}\r`)
    await program.prints(/API key: /)
    program.type(`${acme.key}\r`)

    assert.equal(await program.ended, 0, program.stdout())
    assert.match(program.stdout(), /Signed in to/)
    assert.ok(!program.stdout().includes(acme.key))
  })

  await t.test('channels, status, usage and doctor show the organization, as text and as JSON', async () => {
    const [listed, all, one, status, usage, doctor] = await Promise.all([
      cli('channels'),
      cli('channels', '--json'),
      cli('channels', channel.channel.name),
      cli('status', '--json'),
      cli('usage'),
      cli('doctor'),
    ])
    const json = all.json()

    assert.match(listed.stdout, new RegExp(`^ID +NAME +STATUS.*\\n${channel.id} `))
    assert.ok(!listed.stdout.includes('\u001b'), 'there are colors on a pipe')
    assert.equal(json[0].id, channel.id)
    assert.match(one.stdout, /phone_number_id +\d+/)
    const { url, ready, channels } = status.json()
    assert.deepEqual([url, ready, channels], [hub.url, true, { active: 1 }])
    assert.match(usage.stdout, /Channels +1\n/)
    assert.match(doctor.stdout, /ok +key +The hub accepts the key/)
    assert.match(doctor.stdout, /(ok|warning) +channel +\S/)
  })

  await t.test(
    'send sends once with a key, and messages shows it; an unknown channel is 4',
    { rules: ['CLI-06'] },
    async () => {
      const body = join(directory, 'message.json')
      await writeFile(body, '{"type": "text", "text": {"body": "from a file"}}')

      const sent = await cli('send', channel.id, '+55 11 98765-4321', 'Olá', '--key', 'order-4711', '--json')
      const again = await cli('send', channel.id, '5511987654321', 'Olá', '--key', 'order-4711', '--json')
      const [other, piped] = await Promise.all([
        cli('send', channel.id, '5511987654322', '--body', body),
        run(['send', channel.id, '5511987654323', '-'], signedIn, 'from a pipe\n'),
      ])
      const [listed, invalid, unknown] = await Promise.all([
        cli('messages', channel.id),
        cli('send', channel.id, '0', 'x'),
        cli('send', 'nothing', '5511987654321', 'x'),
      ])

      assert.equal(sent.json().id, again.json().id, sent.stderr)
      assert.match(other.stdout, /^accepted [0-9a-f-]{36}\n$/)
      assert.equal(piped.code, 0, piped.stderr)
      assert.match(listed.stdout, /→ 5511987654321/)
      assert.match(listed.stdout, /from a file/)
      assert.match(listed.stdout, /from a pipe/)
      assert.equal(invalid.code, 1)
      assert.match(invalid.stderr, /\/to /)
      assert.match(invalid.stderr, /INVALID_REQUEST, request [0-9a-f-]{36}/)
      assert.equal(unknown.code, 4)
      assert.match(unknown.stderr, /No channel is called "nothing"/)
    },
  )

  await t.test('messages --tail prints what is new until Ctrl-C', async (t) => {
    await cli('send', channel.id, '5511987654321', 'the first')
    const program = start(t, ['messages', channel.id, '--tail'], signedIn)
    await program.prints(/the first/)

    await cli('send', channel.id, '5511987654322', 'the second')
    await program.prints(/the second/)

    assert.equal(await program.end('SIGINT'), 0)
  })

  await t.test('webhooks are created, tested, delivered and replayed', async () => {
    const created = (
      await cli('webhooks', 'create', receiver.url, '--name', 'CRM', '--events', 'webhook.test', '--json')
    ).json()
    const tested = await cli('webhooks', 'test', 'CRM', '--json')
    await hub.deliver()
    const [delivery] = (await cli('deliveries', 'crm', '--status', 'succeeded', '--json')).json()
    const replayed = await cli('replay', 'CRM', delivery.id, '--json')
    const listed = await cli('webhooks')
    const deleted = await cli('webhooks', 'delete', receiver.url)

    assert.match(created.secret, /^whsec_/)
    assert.equal(tested.json().delivery_id, delivery.id)
    assert.equal(replayed.json().replay_of_delivery_id, delivery.id)
    assert.match(listed.stdout, /CRM +active +0 +webhook\.test/)
    assert.match(deleted.stdout, /Deleted/)
  })

  await t.test('a replay of a delivery that is not over says so, and ends with 4', async () => {
    await cli('webhooks', 'create', receiver.url, '--name', 'open')
    const { delivery_id } = (await cli('webhooks', 'test', 'open', '--json')).json()
    const refused = await cli('replay', 'open', delivery_id)
    await cli('webhooks', 'delete', 'open')

    assert.equal(refused.code, 4)
    assert.match(refused.stderr, /The delivery is in pending\. It can be replayed once it is succeeded/)
  })

  await t.test(
    'a webhook without a name has that of its host, and no error shows the path of its address',
    { rules: ['CLI-15'] },
    async () => {
      const url = `${receiver.url}/path-secret?token=query-secret`
      const created = (await cli('webhooks', 'create', url, '--json')).json()
      await cli('webhooks', 'create', url, '--name', 'twin')
      const several = await cli('webhooks', 'test', url)
      const unknown = await cli('webhooks', 'test', `${url}-other`)
      const wrong = await cli('webhooks', 'create', 'path-secret')
      await Promise.all([cli('webhooks', 'delete', created.webhook.id), cli('webhooks', 'delete', 'twin')])

      assert.equal(created.webhook.name, new URL(url).host)
      assert.deepEqual([several.code, unknown.code, wrong.code], [2, 4, 2])
      assert.match(several.stderr, /Several webhooks are called "http:\/\/127\.0\.0\.1:\d+": /)
      assert.doesNotMatch(several.stderr + unknown.stderr + wrong.stderr, /path-secret|query-secret/)
    },
  )

  await t.test('deliveries --watch prints a delivery again when its status changes', async (t) => {
    await cli('webhooks', 'create', receiver.url, '--name', 'CRM')
    await cli('webhooks', 'test', 'CRM')
    const program = start(t, ['deliveries', 'CRM', '--watch', '--json'], signedIn)

    await program.prints(/"status":"pending"/)
    await hub.deliver()
    await program.prints(/"status":"succeeded"/)

    assert.equal(await program.end('SIGINT'), 0)
  })

  await t.test('keys are created with scopes, listed and revoked; one that lacks a scope ends with 3', async () => {
    const created = (await cli('keys', 'create', 'ci', '--scope', 'messages:read,channels:read', '--json')).json()
    const lesser = await run(['keys'], { ...signedIn, HUBLINE_KEY: created.secret })
    const listed = await cli('keys')
    const revoked = await cli('keys', 'revoke', created.api_key.id)
    const ended = await run(['channels'], { ...signedIn, HUBLINE_URL: hub.url, HUBLINE_KEY: created.secret })

    assert.deepEqual(created.api_key.scopes.toSorted(), ['channels:read', 'messages:read'])
    assert.equal(lesser.code, 3)
    assert.match(lesser.stderr, /api_keys:read/)
    assert.match(listed.stdout, /ci +hub_pk_…\w{4} +active/)
    assert.ok(!listed.stdout.includes(created.secret))
    assert.match(revoked.stdout, /Revoked ci/)
    assert.equal(ended.code, 3)
  })

  await t.test('connect makes a channel and a link, with a QR code and colors at a terminal only', async (t) => {
    const piped = await cli('connect', '--new', 'Mercado')
    const json = (await cli('connect', 'mercado', '--json')).json()
    const program = startInTerminal(t, ['connect', 'Mercado'], signedIn)
    const code = await program.ended

    assert.match(piped.stdout, /^http:\/\/localhost:8080\/connect\/\S+\nFor the channel/)
    assert.match(json.connect_url, /\/connect\//)
    assert.equal(code, 0, program.stdout())
    assert.match(program.stdout(), /[█▀▄]{10}/)
    assert.ok(program.stdout().includes('\u001b[1m'))
  })

  await t.test('templates of a channel are listed', async () => {
    const listed = await cli('templates', channel.id)

    assert.equal(listed.code, 0, listed.stderr)
    assert.match(listed.stdout, /^(NAME +LANGUAGE|No templates)/)
  })
})
