import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTlsSessions } from './tls-sessions.ts'

const HOUR_MS = 60 * 60 * 1000
const FIRST = Buffer.from('first')
const SECOND = Buffer.from('second')

function openSessions() {
  const clock = { ms: 0 }
  return { clock, ...createTlsSessions({ now: () => new Date(clock.ms) }) }
}

test('the last session of an origin is found for that origin only', () => {
  const { find, store } = openSessions()

  store('https://a.example.com', FIRST, { isResumed: false })
  store('https://a.example.com', SECOND, { isResumed: false })

  assert.equal(find('https://a.example.com'), SECOND)
  assert.equal(find('https://b.example.com'), undefined)
})

test('a session is not resumable an hour after its certificate was verified, even if it was resumed since', () => {
  const { clock, find, store } = openSessions()

  store('https://a.example.com', FIRST, { isResumed: false })
  clock.ms += HOUR_MS - 1
  store('https://a.example.com', SECOND, { isResumed: true })
  assert.equal(find('https://a.example.com'), SECOND)
  clock.ms += 1

  assert.equal(find('https://a.example.com'), undefined)
  store('https://a.example.com', FIRST, { isResumed: true })
  assert.equal(find('https://a.example.com'), undefined)
  store('https://a.example.com', FIRST, { isResumed: false })
  assert.equal(find('https://a.example.com'), FIRST)
})

test('a deleted session is not found', () => {
  const sessions = openSessions()

  sessions.store('https://a.example.com', FIRST, { isResumed: false })
  sessions.delete('https://a.example.com')

  assert.equal(sessions.find('https://a.example.com'), undefined)
})

test('at most 1024 sessions are stored, and the oldest are deleted first', () => {
  const { find, store } = openSessions()

  for (let i = 0; i <= 1024; i++) store(`https://${i}.example.com`, FIRST, { isResumed: false })

  assert.equal(find('https://0.example.com'), undefined)
  assert.equal(find('https://1.example.com'), FIRST)
  assert.equal(find('https://1024.example.com'), FIRST)
})
