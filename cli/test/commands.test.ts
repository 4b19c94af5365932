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
  const { hub, up, acme, channel, receiver, directory, signedIn, cli } = await startCli(t)

  await t.test(
    'login stores a key of standard input in a file of the user alone, and other commands use it',
    { rules: ['cli.key-file-is-private', 'cli.key-is-never-an-argument', 'cli.key-goes-to-its-address-only'] },
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
      assert.equal(after.json().data.channels.length, 1)
      // The key must not be sent to a host that it was not given for.
      assert.equal(elsewhere.code, 3)
      assert.match(elsewhere.stderr, /The stored key belongs to/)
    },
  )

  await t.test(
    'login at a terminal asks for the key without showing it',
    { rules: ['cli.key-is-never-an-argument'] },
    async (t) => {
      const program = startInTerminal(t, ['login'], { HUBLINE_CONFIG_DIR: await newConfigDirectory(t) })

      await program.prints(/URL of the hub \[http:\/\/localhost:8080\]: /)
      program.type(`${hub.url}\r`)
      await program.prints(/API key: /)
      program.type(`${acme.key}\r`)

      assert.equal(await program.ended, 0, program.stdout())
      assert.match(program.stdout(), /Signed in to/)
      assert.ok(!program.stdout().includes(acme.key))
    },
  )

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
    assert.deepEqual(json, (await acme.get('/api/v1/channels')).body)
    assert.match(one.stdout, /phone_number_id +\d+/)
    const { url, ready, channels } = status.json()
    assert.deepEqual([url, ready, channels], [hub.url, true, { active: 1 }])
    assert.match(usage.stdout, /Channels +1\n/)
    assert.match(doctor.stdout, /ok +key +The hub accepts the key/)
    assert.match(doctor.stdout, /(ok|warning) +channel +\S/)
  })

  await t.test(
    'send sends once with a key, and messages shows it; an unknown channel is 4',
    { rules: ['cli.send-with-a-key-sends-once'] },
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
        cli('send', channel.id, '5511987654321', '--body', '{"type": "text"}'),
        cli('send', 'nothing', '5511987654321', 'x'),
      ])

      assert.equal(sent.json().data.message.id, again.json().data.message.id, sent.stderr)
      assert.match(other.stdout, /^accepted [0-9a-f-]{36}\n$/)
      assert.equal(piped.code, 0, piped.stderr)
      assert.match(listed.stdout, /→ 5511987654321/)
      assert.match(listed.stdout, /from a file/)
      assert.match(listed.stdout, /from a pipe/)
      assert.equal(invalid.code, 1)
      assert.match(invalid.stderr, /\/text is required/)
      assert.match(invalid.stderr, /INVALID_REQUEST, request [0-9a-f-]{36}/)
      assert.equal(unknown.code, 4)
      assert.match(unknown.stderr, /No channel matches 'nothing'/)
    },
  )

  await t.test(
    'send reaches a group and the Marketing Messages API, read marks a message, and channels sets a budget',
    { rules: ['cli.reaches-each-way-to-send', 'cli.channel-settings-are-set'] },
    async () => {
      const groups = `/numbers/${channel.number.phoneNumberId}/groups`
      const participants = ['5511987654321']
      const { group_id } = await up.simulator.control<{ group_id: string }>('POST', groups, { participants })
      await cli('trigger', 'message.received', channel.id, '--simulator', up.simulator.url, '--from', '5511999990007')
      const inbound = (await acme.get(`/api/v1/channels/${channel.id}/messages?direction=inbound&limit=1`)).body.data

      const [toGroup, twoWays, alone, badGroup] = [
        await cli('send', channel.id, group_id, 'Olá a todos', '--group'),
        await cli('send', channel.id, group_id, 'x', '--group', '--marketing'),
        await cli('send', channel.id, '5511987654321', 'x', '--marketing'),
        await cli('send', channel.id, 'a group', 'x', '--group'),
      ]
      const marketing = ['--template', 'absent', '--language', 'pt_BR', '--marketing', '--json']
      const template = await cli('send', channel.id, '5511987654321', ...marketing)
      const read = await cli('read', channel.id, inbound.messages[0].id, '--typing')
      const budget = await cli(
        'channels',
        channel.id,
        '--monthly-budget',
        '50000',
        '--import-history',
        'events',
        '--json',
      )
      const none = await cli('channels', channel.id, '--monthly-budget', 'none', '--json')
      const wrong = await cli('channels', channel.id, '--monthly-budget', '1.5')

      assert.match(toGroup.stdout, /^accepted /, toGroup.stderr)
      assert.deepEqual([twoWays.code, alone.code, badGroup.code, wrong.code], [2, 2, 2, 2])
      // The template does not exist: the refusal is that of the Marketing Messages API.
      assert.equal(template.code, 1, template.stdout)
      assert.match(template.stderr, /UPSTREAM_REJECTED/)
      assert.match(read.stdout, /^Marked [0-9a-f-]{36} as read\.\n$/, read.stderr)
      const { monthly_budget, import_history } = budget.json().data.channel
      assert.deepEqual([monthly_budget, import_history], [50_000, 'events'])
      assert.equal(none.json().data.channel.monthly_budget, null)
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
    ).json().data
    const tested = await cli('webhooks', 'test', 'CRM', '--json')
    await hub.deliver()
    const [delivery] = (await cli('deliveries', 'crm', '--status', 'succeeded', '--json')).json().data.deliveries
    const replayed = await cli('replay', 'CRM', delivery.id, '--json')
    const listed = await cli('webhooks')
    const deleted = await cli('webhooks', 'delete', receiver.url)

    assert.match(created.secret, /^whsec_/)
    assert.equal(tested.json().data.delivery_id, delivery.id)
    assert.equal(replayed.json().data.replay_of_delivery_id, delivery.id)
    assert.match(listed.stdout, /CRM +active +0 +webhook\.test/)
    assert.match(deleted.stdout, /Deleted/)
  })

  await t.test('webhooks are created with media_urls and updated, and only what is named changes', async () => {
    const create = ['webhooks', 'create', receiver.url, '--name', 'files', '--events', 'message.received']
    const created = (await cli(...create, '--media-urls', 'hub', '--json')).json().data.webhook
    const updated = (await cli('webhooks', 'update', 'files', '--media-urls', 'upstream', '--json')).json().data.webhook
    const renamed = await cli('webhooks', 'update', 'files', '--name', 'archive')
    const wrong = await cli('webhooks', 'update', 'archive', '--media-urls', 'meta')
    const nothing = await cli('webhooks', 'update', 'archive')
    const elsewhere = await cli('webhooks', 'test', 'archive', '--media-urls', 'hub')
    await cli('webhooks', 'delete', 'archive')

    assert.equal(created.media_urls, 'hub')
    assert.deepEqual([updated.media_urls, updated.name, updated.events], ['upstream', 'files', ['message.received']])
    assert.match(renamed.stdout, /Updated/)
    assert.deepEqual([wrong.code, nothing.code, elsewhere.code], [2, 2, 2])
    assert.match(wrong.stderr, /upstream.*hub/)
    assert.match(nothing.stderr, /--media-urls/)
  })

  await t.test('a replay of a delivery that is not over says so, and ends with 4', async () => {
    await cli('webhooks', 'create', receiver.url, '--name', 'open')
    const { delivery_id } = (await cli('webhooks', 'test', 'open', '--json')).json().data
    const refused = await cli('replay', 'open', delivery_id)
    await cli('webhooks', 'delete', 'open')

    assert.equal(refused.code, 4)
    assert.match(refused.stderr, /The delivery is in pending\. It can be replayed once it is succeeded/)
  })

  await t.test(
    'a webhook without a name has that of its host, and no error shows the path of its address',
    { rules: ['cli.errors-hide-webhook-paths'] },
    async () => {
      const url = `${receiver.url}/path-secret?token=query-secret`
      const created = (await cli('webhooks', 'create', url, '--json')).json().data
      await cli('webhooks', 'create', url, '--name', 'twin')
      const several = await cli('webhooks', 'test', url)
      const unknown = await cli('webhooks', 'test', `${url}-other`)
      const wrong = await cli('webhooks', 'create', 'path-secret')
      await Promise.all([cli('webhooks', 'delete', created.webhook.id), cli('webhooks', 'delete', 'twin')])

      assert.equal(created.webhook.name, new URL(url).host)
      assert.deepEqual([several.code, unknown.code, wrong.code], [2, 4, 2])
      assert.match(several.stderr, /Several webhooks match 'http:\/\/127\.0\.0\.1:\d+': /)
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
    const created = (await cli('keys', 'create', 'ci', '--scope', 'messages:read,channels:read', '--json')).json().data
    const lesser = await run(['keys'], { ...signedIn, HUBLINE_KEY: created.secret })
    const lessChecked = await run(['doctor'], { ...signedIn, HUBLINE_KEY: created.secret })
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
    const unknown = await run(['doctor'], { ...signedIn, HUBLINE_KEY: created.secret })
    assert.match(lessChecked.stdout, /skipped +webhook +The key lacks webhooks:read/)
    assert.deepEqual([unknown.code, /failing +key/.test(unknown.stdout)], [1, true], unknown.stderr)
  })

  await t.test('connect makes a channel and a link, with a QR code and colors at a terminal only', async (t) => {
    const piped = await cli('connect', '--new', 'Mercado')
    const json = (await cli('connect', 'mercado', '--json')).json().data
    const program = startInTerminal(t, ['connect', 'Mercado'], signedIn)
    const code = await program.ended

    assert.match(piped.stdout, /^http:\/\/localhost:8080\/connect\/\S+\nFor the channel/)
    assert.match(json.connect_url, /\/connect\//)
    assert.equal(code, 0, program.stdout())
    assert.match(program.stdout(), /[█▀▄]{10}/)
    assert.ok(program.stdout().includes('\u001b[1m'))
  })

  await t.test('connect gives a link its addresses, language and metadata', async () => {
    const back = ['--success-url', 'https://a.example/done', '--failure-url', 'https://a.example/no']
    const options = [...back, '--language', 'pt-BR', '--metadata', '{"customer": "42"}']

    const { connect_url } = (await cli('connect', 'Mercado', ...options, '--json')).json().data

    const shown = (await hub.anonymous.get(`/api/v1/connect/${connect_url.split('/').at(-1)}`)).body.data
    const { success_url, failure_url, link_language } = shown
    assert.deepEqual(
      [success_url, failure_url, link_language],
      ['https://a.example/done', 'https://a.example/no', 'pt-BR'],
    )
  })

  await t.test(
    'connect --new shows the token of the channel, and tokens replaces and revokes it',
    {
      rules: ['cli.connect-shows-a-new-token-once'],
    },
    async () => {
      const shown = await cli('connect', '--new', 'Farmácia')
      const [, first = ''] = /Channel token: (hub_ch_\w+)/.exec(shown.stdout) ?? []
      const use = async (token: string) => {
        const { id } = (await cli('channels', 'Farmácia', '--json')).json().data.channel
        const { status } = await fetch(`${hub.url}/api/v1/channels/${id}/messages`, {
          headers: { authorization: `Bearer ${token}` },
        })
        return status
      }
      const before = await use(first)
      const regenerated = await cli('tokens', 'regenerate', 'Farmácia', '--scope', 'channels:read', '--json')
      const { token } = regenerated.json().data
      const [replaced, lesser] = [await use(first), await use(token)]
      const unknown = await cli('tokens', 'regenerate', 'Farmácia', '--scope', 'everything')
      const revoked = await cli('tokens', 'revoke', 'Farmácia')

      assert.deepEqual([before, replaced, lesser, await use(token)], [200, 401, 403, 401])
      assert.match(shown.stdout, /cannot be shown again/)
      assert.equal(unknown.code, 1)
      assert.match(revoked.stdout, /^Revoked the token of/)
    },
  )

  await t.test(
    'webhooks are paused, activated and get another secret; status and doctor name a paused one',
    {
      rules: ['cli.webhooks-manages-an-endpoint', 'cli.diagnostics-name-paused-endpoints'],
    },
    async () => {
      const { secret } = (await cli('webhooks', 'create', receiver.url, '--name', 'ERP', '--json')).json().data

      const paused = await cli('webhooks', 'pause', 'ERP')
      const [status, asJson, doctor] = [await cli('status'), await cli('status', '--json'), await cli('doctor')]
      const activated = (await cli('webhooks', 'activate', 'ERP', '--json')).json().data
      const rotated = await cli('webhooks', 'rotate', 'ERP')
      const after = await cli('doctor')
      await cli('webhooks', 'delete', 'ERP')

      assert.match(paused.stdout, /^Paused /)
      assert.match(status.stdout, /Webhooks: .*1 paused[^\n]*\n {2}paused: ERP, `hubline webhooks activate /)
      assert.equal(asJson.json().webhooks.paused, 1)
      assert.deepEqual(
        asJson.json().paused_webhooks.map(({ name }: { name: string }) => name),
        ['ERP'],
      )
      assert.match(doctor.stdout, /warning +webhook +ERP: paused, so that it gets no events/)
      assert.equal(activated.webhook.status, 'active')
      const [, next] = /Secret: (whsec_\S+)/.exec(rotated.stdout) ?? []
      assert.ok(next !== undefined && next !== secret)
      assert.match(after.stdout, /ok +webhook +Active endpoints: \d+\. None is paused/)
    },
  )

  await t.test(
    'on hold doctor warns and names the command that ends it, status says held, and a send ends at once',
    { rules: ['cli.names-the-hold', 'sdk.hold-is-not-retried'] },
    async () => {
      const { hold } = hub.context
      await hold.set('operator')
      const [doctor, status, asJson] = [await cli('doctor'), await cli('status'), await cli('status', '--json')]
      const refused = await cli('send', channel.id, '5511987654321', 'Olá', '--json')
      await hold.release()
      const after = [await cli('doctor'), await cli('status')]

      assert.match(doctor.stdout, /warning +ready +The hub is on hold[^\n]*\n[^\n]*npm run admin -- release/)
      assert.equal(doctor.code, 0)
      assert.match(status.stdout, new RegExp(`^${hub.url} {2}held`))
      assert.deepEqual([asJson.json().ready, asJson.json().held], [false, true])
      assert.equal(refused.code, 5)
      assert.equal(JSON.parse(refused.stderr).error.details.reason, 'held')
      assert.match(after[0]?.stdout ?? '', /ok +ready +The hub is ready\./)
      assert.match(after[1]?.stdout ?? '', / {2}ready\n/)
    },
  )

  await t.test(
    'rotate keeps the previous secret for the overlap, and retry attempts a waiting delivery now',
    { rules: ['cli.rotation-can-overlap'] },
    async () => {
      receiver.answer(500)
      await cli('webhooks', 'create', receiver.url, '--name', 'slow')
      await cli('webhooks', 'test', 'slow')
      await hub.deliver()
      const read = async () => (await cli('deliveries', 'slow', '--json')).json().data.deliveries[0]
      const { id, status } = await read()

      const rotated = await cli('webhooks', 'rotate', 'slow', '--overlap', '3600')
      receiver.answer(200)
      const retried = await cli('retry', 'slow', id, '--json')
      await hub.deliver()
      const after = await read()
      const over = await cli('retry', 'slow', id)
      const [wrong, misplaced] = [
        await cli('webhooks', 'rotate', 'slow', '--overlap', '90000'),
        await cli('webhooks', 'pause', 'slow', '--overlap', '60'),
      ]
      await cli('webhooks', 'delete', 'slow')

      assert.match(rotated.stdout, /Secret: whsec_\S+\n.*\nUntil .* also signed with the previous secret/)
      assert.ok(receiver.received.at(-1)?.headers['x-hub-signature-256-previous'])
      assert.deepEqual([status, retried.json().data.delivery_id], ['retry', id])
      assert.deepEqual([after.status, after.attempts], ['succeeded', 2])
      assert.deepEqual([over.code, wrong.code, misplaced.code], [4, 2, 2])
    },
  )

  await t.test(
    'trigger makes the simulator cause events, with the address of the sandbox only',
    {
      rules: [
        'cli.trigger-needs-a-sandbox',
        'cli.doctor-warns-of-degraded-channels',
        'sandbox.scenarios-play-for-a-number',
      ],
    },
    async () => {
      const at = ['--simulator', up.simulator.url]
      const trigger = (event: string, ...more: string[]) => cli('trigger', event, channel.id, ...at, ...more)

      const written = await trigger('message.received', '--text', 'from the simulator', '--from', '+55 11 99999-0001')
      const image = await trigger('message.received', '--body', '{"type": "image"}')
      await cli('send', channel.id, '5511999990001', 'an answer')
      const statuses = await trigger('message.status', '--value', 'failed')
      const stopped = await trigger('contact.preferences', '--value', 'stop')
      const called = await trigger('call.received')
      const scenario = await trigger('username-only')
      const spelled = await trigger('ninth-digit')
      const impossible = await trigger('coexistence-history')
      const quality = await trigger('phone.quality', '--value', 'RED')
      while ((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status !== 'degraded');
      const doctor = await cli('doctor')
      await trigger('phone.quality', '--value', 'GREEN')
      const wrong = await trigger('message.status', '--value', 'eaten')
      const listed = (await cli('messages', channel.id)).stdout
      const [elsewhere, foreign, unknown] = [
        await cli('trigger', 'message.received', channel.id, '--simulator', 'http://127.0.0.1:1'),
        await cli('trigger', 'message.received', channel.id, '--simulator', receiver.url),
        await cli('trigger', 'message.recieved', channel.id),
      ]

      const done = [written, image, statuses, stopped, called, scenario, spelled, quality]
      for (const { code, stderr } of done) assert.equal(code, 0, stderr)
      assert.deepEqual([impossible.code, /coexistence: true\.\n/.test(impossible.stderr)], [1, true])
      assert.match(listed, /← 5563984622450/)
      assert.match(doctor.stdout, /warning +channel +.*: degraded\. The checks pass, but Meta has flagged/)
      assert.match(listed, /← 5511999990001.*from the simulator/)
      assert.match(listed, /image: /)
      assert.match(listed, /failed/)
      assert.deepEqual([wrong.code, elsewhere.code, foreign.code, unknown.code], [1, 1, 1, 2])
      assert.match(elsewhere.stderr, /works only in a sandbox: no simulator answers at http:\/\/127\.0\.0\.1:1/)
      assert.match(foreign.stderr, /works only in a sandbox: no simulator at .* knows the number/)
      assert.match(unknown.stderr, /Did you mean message\.received\?/)
      // The key is for the hub alone.
      for (const { headers } of receiver.received) assert.equal(headers.authorization, undefined)
    },
  )

  await t.test(
    'profiles keep several hubs apart, and logout deletes what login stored',
    {
      rules: ['cli.profile-has-its-own-key', 'cli.logout-deletes-the-key'],
    },
    async (t) => {
      const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t) }
      const login = await run(['login', '--url', hub.url, '--profile', 'production'], env, `${acme.key}\n`)
      const named = await run(['channels', '--profile', 'production'], {
        ...env,
        HUBLINE_URL: 'http://127.0.0.1:1',
        HUBLINE_KEY: 'hub_pk_x',
      })
      const byEnvironment = await run(['channels'], { ...env, HUBLINE_PROFILE: 'production' })
      const [usual, other, evil] = [
        await run(['channels'], env),
        await run(['channels', '--profile', 'other'], env),
        await run(['channels', '--profile', '../config'], env),
      ]
      const out = await run(['logout', '--profile', 'production'], env)
      const after = await run(['channels', '--profile', 'production'], env)
      const again = await run(['logout', '--profile', 'production'], env)

      assert.deepEqual([login.code, named.code, byEnvironment.code, out.code], [0, 0, 0, 0], named.stderr)
      assert.deepEqual([usual.code, other.code, evil.code, after.code, again.code], [3, 3, 2, 3, 0])
      assert.match(other.stderr, /There is no profile other\. Run `hubline login --profile other`/)
      assert.match(out.stdout, /Signed out of /)
    },
  )

  await t.test(
    'a person who hides the number gets an answer by user id',
    { rules: ['cli.send-takes-a-user-id'] },
    async () => {
      const hidden = '/contacts/5511988880021'
      const message = { to: channel.number.phoneNumberId, type: 'text', text: { body: 'Are you open?' } }
      await up.simulator.control('PUT', hidden, { hides_phone: true, username: 'bia' })
      await up.simulator.control('POST', `${hidden}/messages`, message)
      const [received] = (await cli('messages', channel.id, '--limit', '1', '--json')).json().data.messages
      const userId = received.contact.user_id

      const sent = await cli('send', channel.id, userId, 'Until six', '--json')
      const found = await cli('messages', channel.id, '--person', userId)

      assert.equal(received.from, null)
      assert.deepEqual([sent.code, sent.json().data.message.to], [0, userId], sent.stderr)
      const lines = found.stdout.trim().split('\n').slice(1)
      assert.equal(lines.length, 2, found.stdout)
      assert.match(lines.join('\n'), /→ .*Until six.*\n.*← .*Are you open\?/)
      for (const line of lines) assert.ok(line.includes(userId), line)
    },
  )

  await t.test(
    '--body is JSON, @file, a file or standard input',
    { rules: ['cli.body-is-json-a-file-or-stdin', 'cli.send-refuses-two-recipients'] },
    async () => {
      const message = (body: string) => JSON.stringify({ type: 'text', text: { body } })
      const file = join(directory, 'body.json')
      await writeFile(file, message('from @file'))
      const to = ['send', channel.id, '5511987654399', '--body']

      const results = [
        await cli(...to, message('inline')),
        await cli(...to, `@${file}`),
        await cli(...to, file),
        await run([...to, '-'], signedIn, message('from input')),
      ]
      const refused = [await cli(...to, '{"type":'), await cli(...to, '[]'), await cli(...to, '@nothing.json')]

      const twoRecipients = await cli(...to, '{"to": "5511987654300", "type": "text", "text": {"body": "for whom?"}}')
      for (const { code, stderr } of results) assert.equal(code, 0, stderr)
      assert.equal(twoRecipients.code, 2)
      assert.match(twoRecipients.stderr, /Remove `to` from --body/)
      assert.match((await cli('messages', channel.id)).stdout, /from input.*\n.*from @file.*\n.*from @file.*\n.*inline/)
      for (const { code } of refused) assert.equal(code, 2)
    },
  )

  await t.test(
    '--json is the body of the API, the cursor of the next page included',
    { rules: ['cli.json-output-is-json'] },
    async () => {
      const body = async (path: string) => (await acme.get(path)).body
      const first = (await cli('messages', channel.id, '--limit', '2', '--json')).json()

      // A cursor is sealed anew each time.
      const { next_cursor, ...data } = (await body(`/api/v1/channels/${channel.id}/messages?limit=2`)).data
      assert.deepEqual(first, { data: { ...data, next_cursor: first.data.next_cursor } })
      assert.deepEqual([typeof first.data.next_cursor, typeof next_cursor], ['string', 'string'])
      assert.deepEqual(
        (await cli('channels', channel.id, '--json')).json(),
        await body(`/api/v1/channels/${channel.id}`),
      )
      assert.deepEqual((await cli('keys', '--json')).json(), await body('/api/v1/api-keys?limit=100'))
      assert.deepEqual((await cli('webhooks', '--json')).json(), await body('/api/v1/webhooks'))
      assert.deepEqual((await cli('usage', '--json')).json(), await body('/api/v1/usage'))
      assert.deepEqual((await cli('costs', '--json')).json(), await body('/api/v1/usage/costs'))
      assert.match(
        (await cli('costs', channel.id, '--by', 'country')).stdout,
        /No messages with a price\.|COUNTRY +MESSAGES/,
      )
      assert.deepEqual(
        (await cli('templates', channel.id, '--json')).json(),
        await body(`/api/v1/channels/${channel.id}/templates?limit=100`),
      )
    },
  )

  await t.test(
    'what belongs to a number is listed and changed, and a part that failed is an exit code',
    {
      rules: ['number.block-list-reports-failures', 'number.qr-codes-are-managed', 'number.username-is-managed'],
    },
    async () => {
      const ana = '5511987650001'
      const written = `/numbers/${channel.number.phoneNumberId}/customers/${ana}/messages`
      await up.simulator.control('POST', written, { type: 'text' })

      const none = await cli('blocked', channel.id)
      const added = await cli('blocked', channel.id, 'add', ana, '5511987650002')
      const listed = await cli('blocked', channel.id, '--json')
      const removed = await cli('blocked', channel.id, 'remove', ana)
      const created = await cli('qr-codes', channel.id, 'create', 'I would like to order', '--image', 'png', '--json')
      const { code } = created.json().data.qr_code
      const updated = await cli('qr-codes', channel.id, 'update', code, 'I would like a table')
      const codes = await cli('qr-codes', channel.id)
      const deleted = await cli('qr-codes', channel.id, 'delete', code)
      const set = await cli('username', channel.id, 'set', 'padaria.central')
      const shown = await cli('username', channel.id)
      const given = await cli('username', channel.id, 'delete')
      const wrong = await Promise.all([
        cli('blocked', channel.id, 'add'),
        cli('blocked', channel.id, 'ad', ana),
        cli('qr-codes', channel.id, 'update', code),
        cli('username', channel.id, 'set'),
        cli('username', channel.id, 'delete', 'x'),
      ])

      assert.match(none.stdout, /No one is blocked/)
      assert.deepEqual([added.code, removed.code], [1, 0])
      assert.match(added.stdout, /^Blocked 5511987650001\.\n5511987650002 was not changed: .*24 hours/)
      assert.deepEqual(
        listed.json().data.blocked.map(({ wa_id }: { wa_id: string }) => wa_id),
        [ana],
      )
      assert.match(updated.stdout, new RegExp(`^Updated ${code}: https://`))
      assert.match(codes.stdout, /I would like a table/)
      assert.match(deleted.stdout, new RegExp(`^Deleted ${code}`))
      assert.match(set.stdout, /^padaria\.central: approved/)
      assert.equal(shown.stdout, set.stdout)
      assert.match(given.stdout, /no username/)
      assert.deepEqual(
        wrong.map(({ code: exit }) => exit),
        [2, 2, 2, 2, 2],
      )
    },
  )

  await t.test('templates of a channel are listed', async () => {
    const listed = await cli('templates', channel.id)

    assert.equal(listed.code, 0, listed.stderr)
    assert.match(listed.stdout, /^(NAME +LANGUAGE|No templates)/)
  })
})
