import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { freePort } from '../../server/test/journeys/processes.ts'
import { COMMANDS } from '../src/commands.ts'
import { suggestName } from '../src/suggestions.ts'
import { newConfigDirectory, run } from './program.ts'

test('help lists every command, and --help of a command has its usage, options and examples', async () => {
  const { code, stdout } = await run([])
  assert.equal(code, 0)
  for (const { name, summary } of COMMANDS) assert.ok(stdout.includes(`  ${name.padEnd(12)}${summary}`), name)

  const { stdout: help } = await run(['send', '--help'])
  assert.match(help, /Usage: hubline send <channel> <to>/)
  assert.match(help, /--template <name> +Send this template/)
  assert.match(help, /Examples:\n {2}hubline send/)
})

const MISTAKES: [string[], RegExp][] = [
  [['sned'], /Unknown command 'sned'\. Did you mean `hubline send`\?/],
  [['frobnicate'], /`hubline help` lists the commands/],
  [['messages', 'shop', '--tial'], /Unknown option '--tial'\. Did you mean --tail\?/],
  [['messages', 'shop', '--zzzzzz'], /`hubline messages --help` lists the options/],
  [['messages'], /Missing argument\. Usage: hubline messages <channel>/],
  [['messages', 'shop', '--limit', 'ten'], /--limit must be a whole number from 1 to 10000, not 'ten'/],
  [['messages', 'shop', '--direction', 'inbond'], /Invalid value 'inbond' for --direction\. Did you mean inbound\?/],
  [['messages', 'shop', '--limit'], /--limit.*argument missing/],
  [['send', 'shop', '5511987654321', 'two', 'words'], /Unexpected argument 'words'\. Quote text that contains spaces/],
  [['send', 'shop', '5511987654321'], /Give exactly one of text, --template or --body/],
  [['send', 'shop', '5511987654321', '--template', 'hi'], /--template requires --language/],
  [['connect'], /Give a channel, or create one with --new <name>/],
  [['connect', 'shop', '--success-url', 'http://example.com'], /--success-url must be an https URL/],
  [['connect', 'shop', '--metadata', '[1]'], /--metadata must be a JSON object/],
  [['connect', 'shop', '--language', 'pt'], /Invalid value 'pt' for --language/],
  [['keys', 'create', 'ci'], /A key needs at least one --scope/],
  [['keys', 'creat'], /Invalid value 'creat' for the action\. Did you mean create\?/],
  [['tokens', 'rotate', 'shop'], /Invalid value 'rotate' for the action/],
  [['tokens', 'revoke', 'shop', '--scope', 'x:y'], /--scope applies to a new token/],
  [['webhooks', 'pause'], /Missing argument\. Usage: hubline webhooks pause <webhook>/],
  [
    ['send', 'shop', 'ana', 'hello'],
    /recipient must be a phone number .* or a user id, such as BR\.1349567890, not 'ana'\./,
  ],
  [['send', 'shop', '.', '--group', 'hi'], /recipient must be the id of a group, as the hub shows it, not '\.'\./],
  [['send', 'shop', '..', '--group', 'hi'], /recipient must be the id of a group, as the hub shows it, not '\.\.'\./],
  [['read', 'shop', '..'], /message must be its id, as `hubline messages shop` lists it, not '\.\.'\./],
  [['read', 'shop', ''], /message must be its id, as `hubline messages shop` lists it, not ''\./],
  [['keys', 'revoke', '..'], /key must be its id, as `hubline keys` lists it, not '\.\.'\./],
  [['retry', 'crm', '..'], /delivery must be its id, as `hubline deliveries crm` lists it, not '\.\.'\./],
  [['replay', 'crm', '.'], /delivery must be its id, as `hubline deliveries crm` lists it, not '\.'\./],
  [['qr-codes', 'shop', 'delete', '..'], /code must be that of a QR code, as `hubline qr-codes shop` lists it, not/],
  [
    ['qr-codes', 'shop', 'update', '.', 'Oi'],
    /code must be that of a QR code, as `hubline qr-codes shop` lists it, not/,
  ],
  [['trigger', 'message.received', 'shop', '--from', 'Ana'], /--from must be a number/],
  [['listen'], /Missing --forward-to/],
  [['listen', '--forward-to', '3000', '--events', 'message.recieved'], /Did you mean message\.received\?/],
  [['completion', 'tcsh'], /Invalid value 'tcsh' for the shell/],
]

test('a mistake in the arguments ends with 2 and says what is meant instead', async (t) => {
  const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)

  const results = await Promise.all(MISTAKES.map(([args]) => run(args, { HUBLINE_CONFIG_DIR })))

  for (const [index, { code, stdout, stderr }] of results.entries()) {
    const [args, message] = MISTAKES[index]!
    assert.match(stderr, message, args.join(' '))
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
  }
})

test('a command without a key ends with 3, and with a hub that cannot be reached with 5', {
  rules: ['cli.json-output-is-json'],
}, async (t) => {
  const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)
  const env = { HUBLINE_CONFIG_DIR, HUBLINE_URL: `http://127.0.0.1:${await freePort()}`, HUBLINE_KEY: 'hub_pk_x' }

  const unknown = await run(['channels'], { HUBLINE_CONFIG_DIR })
  const unreachable = await run(['channels', '--json'], env)
  const examined = await run(['doctor'], env)

  assert.equal(unknown.code, 3)
  assert.match(unknown.stderr, /Run `hubline login`, or set HUBLINE_URL and HUBLINE_KEY/)
  assert.equal(unreachable.code, 5)
  const { code, message } = JSON.parse(unreachable.stderr).error
  assert.deepEqual([code, message.includes(` at ${env.HUBLINE_URL} `)], ['CONNECTION_FAILED', true])
  assert.equal(examined.code, 1)
  assert.match(examined.stdout, /failing +hub +http:\/\/127\.0\.0\.1:\d+: ECONNREFUSED/)
})

test('version prints the version, as text and as JSON', async () => {
  const [command, option, asJson] = await Promise.all([
    run(['version']),
    run(['--version']),
    run(['version', '--json']),
  ])

  assert.match(command.stdout, /^\d+\.\d+\.\d+\n$/)
  assert.deepEqual([option.stdout, `${asJson.json().version}\n`], [command.stdout, command.stdout])
})

test('the completions of bash are a script that completes commands, actions and options', async () => {
  const { stdout: script } = await run(['completion', 'bash'])
  const complete = (...words: string[]) => {
    const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _hubline; echo "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', `${script}\n${line}`], { encoding: 'utf8' }).stdout.trim()
  }

  assert.equal(complete('hubline', 'mess'), 'messages')
  assert.equal(complete('hubline', 'keys', 'rev'), 'revoke')
  assert.equal(complete('hubline', 'messages', '--ta'), '--tail')
})

test('the completions of zsh and fish name every command', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = await run(['completion', shell])
    assert.equal(code, 0)
    for (const { name } of COMMANDS) assert.ok(stdout.includes(name), `${shell} ${name}`)
  }
})

test('a suggestion is the nearest name, and none where all are far', () => {
  const names = ['listen', 'login', 'status', 'send']
  assert.deepEqual(
    ['lisetn', 'stat', 'logn', 'xyz', 'sendd'].map((typed) => suggestName(typed, names)),
    ['listen', 'status', 'login', undefined, 'send'],
  )
})
