import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredTemplate, TemplateComponent } from '../template.ts'
import { type Draft, EMPTY_DRAFT, toComponents, toDraft } from './draft.ts'
import { checkDraft } from './rules.ts'

const CODE: Draft = { ...EMPTY_DRAFT, name: 'login_code', category: 'AUTHENTICATION' }

function stored(category: string, components: TemplateComponent[]): StoredTemplate {
  return { id: '1', name: 'x', language: 'es', category, status: 'REJECTED', reason: null, quality: null, components }
}

test('an authentication template has a body without a text, an expiry and one button', () => {
  assert.deepEqual(toComponents(CODE), [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 10 },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ])
  const app = { packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' }
  const otp = { ...CODE.otp, ...app, minutes: '', kind: 'ZERO_TAP' as const, acceptsTerms: true }
  assert.deepEqual(toComponents({ ...CODE, otp }).slice(1), [
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'OTP',
          otp_type: 'ZERO_TAP',
          supported_apps: [{ package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }],
          zero_tap_terms_accepted: true,
        },
      ],
    },
  ])
})

test('the rules of an authentication template are its own', () => {
  assert.deepEqual(checkDraft(CODE), { name: true, minutes: true })
  const otp = { ...CODE.otp, minutes: '91', kind: 'ZERO_TAP' as const }
  assert.deepEqual(checkDraft({ ...CODE, otp }), { name: true, minutes: false, app: false, terms: false })
})

test('a template that exists becomes the draft that gives the same components', () => {
  const lists: [string, TemplateComponent[]][] = [
    [
      'UTILITY',
      [
        { type: 'HEADER', format: 'TEXT', text: 'Pedido' },
        { type: 'BODY', text: 'Olá {{1}}, {{2}} chegou.', example: { body_text: [['Bia', 'o pão']] } },
        { type: 'FOOTER', text: 'Padaria' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Ok' },
            { type: 'URL', text: 'Ver', url: 'https://a.example' },
          ],
        },
      ],
    ],
    ['AUTHENTICATION', toComponents(CODE)],
  ]
  for (const [category, components] of lists) {
    const draft = toDraft(stored(category, components))
    assert.deepEqual(draft && toComponents(draft), components)
  }
})

test('a template with a part that the form would lose is not edited in it', () => {
  for (const component of [
    { type: 'CAROUSEL' },
    { type: 'HEADER', format: 'LOCATION' },
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' },
    { type: 'BODY', text: 'Olá {{first_name}}!' },
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] },
  ]) {
    assert.equal(toDraft(stored('MARKETING', [component])), undefined, component.type)
  }
})
