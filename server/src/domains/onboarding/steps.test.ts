import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../kernel/errors.ts'
import type { DebuggedToken } from '../../upstream/resources/oauth.ts'
import { requireGrantedToken } from './steps.ts'

const APP = '100'
const WABA = '200'
const MANAGEMENT = 'whatsapp_business_management'
const MESSAGING = 'whatsapp_business_messaging'

const GRANTED: DebuggedToken = {
  is_valid: true,
  app_id: APP,
  type: 'SYSTEM_USER',
  expires_at: 0,
  data_access_expires_at: 0,
  scopes: [MANAGEMENT, MESSAGING],
  granular_scopes: [
    { scope: MANAGEMENT, target_ids: [WABA, '201'] },
    { scope: MESSAGING, target_ids: [WABA] },
  ],
  user_id: '1',
}

const ACCEPTED: [string, Partial<DebuggedToken>][] = [
  ['granted for this account among others', {}],
  ['granted without a list of accounts', { granular_scopes: [MANAGEMENT, MESSAGING].map(withoutAccounts) }],
  ['with scopes and no granular scopes', { granular_scopes: [] }],
]

const REFUSED: [string, Partial<DebuggedToken>][] = [
  ['not valid', { is_valid: false }],
  ['issued to another app', { app_id: '101' }],
  ['issued to no app', { app_id: null }],
  [
    'granted for another account',
    { granular_scopes: [MANAGEMENT, MESSAGING].map((scope) => granular(scope, ['201'])) },
  ],
  ['granted for no account', { granular_scopes: [MANAGEMENT, MESSAGING].map((scope) => granular(scope, [])) }],
  ['granted for messaging only', { granular_scopes: [granular(MESSAGING, [WABA])], scopes: [MESSAGING] }],
  ['granted for management only', { granular_scopes: [granular(MANAGEMENT, [WABA])], scopes: [MANAGEMENT] }],
  ['granted for nothing', { granular_scopes: [], scopes: [] }],
]

function granular(scope: string, ids: string[]) {
  return { scope, target_ids: ids }
}

function withoutAccounts(scope: string) {
  return { scope, target_ids: null }
}

for (const [what, difference] of ACCEPTED) {
  test(`a token ${what} is accepted`, () => {
    requireGrantedToken({ ...GRANTED, ...difference }, { appId: APP, wabaId: WABA })
  })
}

for (const [what, difference] of REFUSED) {
  test(`a token that is ${what} is refused at the step check_token`, {
    rules: ['connect.foreign-token-is-refused'],
  }, () => {
    assert.throws(
      () => requireGrantedToken({ ...GRANTED, ...difference }, { appId: APP, wabaId: WABA }),
      (err) => err instanceof AppError && err.code === 'UPSTREAM_REJECTED' && err.details?.step === 'check_token',
    )
  })
}
