import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMailLine } from './mail-line.ts'

for (const [name, line] of [
  ['Padaria São João', 'Padaria São João'],
  ['Acme S.A.', 'Acme S. A.'],
  ['Acme\r\n\r\nYou won:\u2028 open', 'Acme You won: open'],
  ['https://evil.example/x', 'https: //evil. example/x'],
  ['eve@evil.example', 'eve@ evil. example'],
  ['\u202egnp.exe', 'gnp. exe'],
  ['מאפייה\u2069\u202E', '\u2068מאפייה\u2069'],
] as const) {
  test(`the line of the name ${JSON.stringify(name)} has no line break and no link`, {
    rules: ['mail.names-are-one-line-and-no-link'],
  }, () => {
    assert.equal(toMailLine(name), line)
  })
}
