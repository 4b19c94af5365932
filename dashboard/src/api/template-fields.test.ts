import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillText, isSendable, type KnownTemplate, listFields, toMessageTemplate } from './template-fields.ts'

function template(components: KnownTemplate['components']): KnownTemplate {
  return { id: '1', name: 'pedido_pronto', language: 'pt_BR', status: 'APPROVED', components }
}

test('each variable of header, body and buttons is one field, and the message has its value in its place', () => {
  const order = template([
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' },
    { type: 'BODY', text: 'Olá, {{1}}! O pedido {{2}} de {{1}} está pronto.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Ok' },
        { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}' },
        { type: 'COPY_CODE', text: 'Copiar' },
      ],
    },
  ])

  const ids = listFields(order).map(({ id }) => id)
  const values = Object.fromEntries(ids.map((id) => [id, `(${id})`]))

  assert.deepEqual(ids, ['header-1', 'body-1', 'body-2', 'button-1', 'button-2'])
  assert.deepEqual(toMessageTemplate(order, values), {
    name: 'pedido_pronto',
    language: { code: 'pt_BR' },
    components: [
      { type: 'header', parameters: [{ type: 'text', text: '(header-1)' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: '(body-1)' },
          { type: 'text', text: '(body-2)' },
        ],
      },
      { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '(button-1)' }] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: 2,
        parameters: [{ type: 'coupon_code', coupon_code: '(button-2)' }],
      },
    ],
  })
})

test('a named variable is sent with its name, and a file by its address', () => {
  const named = template([
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Olá, {{ first_name }}!' },
  ])

  const { components } = toMessageTemplate(named, { header: 'https://loja.example/a.png', 'body-first_name': 'Bia' })

  assert.deepEqual(components, [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://loja.example/a.png' } }] },
    { type: 'body', parameters: [{ type: 'text', text: 'Bia', parameter_name: 'first_name' }] },
  ])
})

test('a template without variables has no components, and one that is not approved cannot be sent', () => {
  const plain = template([{ type: 'BODY', text: 'Bom dia' }])

  assert.deepEqual(toMessageTemplate(plain, {}), { name: 'pedido_pronto', language: { code: 'pt_BR' } })
  assert.ok(isSendable(plain))
  assert.ok(!isSendable({ ...plain, status: 'PENDING' }))
})

test('the preview keeps what is not filled in', () => {
  assert.equal(fillText('Olá, {{1}}: {{2}}', 'body', { 'body-1': 'Bia', 'body-2': '' }), 'Olá, Bia: {{2}}')
})

test('a code is one field, and is sent in the body and in the button', () => {
  const code = {
    ...template([{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP' }] }]),
    category: 'AUTHENTICATION',
  }

  const [field, ...others] = listFields(code)
  const { components } = toMessageTemplate(code, { [field!.id]: '123456' })

  assert.deepEqual(others, [])
  const parameters = [{ type: 'text', text: '123456' }]
  assert.deepEqual(components, [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: 0, parameters },
  ])
})
