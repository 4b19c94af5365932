import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CurrentSessionResponse, Done } from '../sessions/schemas.ts'
import { BeginTotp, ChangePassword, TotpBegun, TotpCode, TotpConfirmed, TotpDisable, UpdateAccount } from './schemas.ts'
import type { Account } from './service.ts'

const tags = ['Console']
const done = { data: { done: true as const } }

export function accountRoutes(account: Account): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/account',
      {
        schema: {
          operationId: 'updateAccount',
          summary: 'Change the name of the signed-in person',
          tags,
          body: UpdateAccount,
          response: { 200: CurrentSessionResponse },
        },
      },
      async ({ principal, body }) => ({ data: await account.update(principal, body) }),
    )

    app.put(
      '/password',
      {
        schema: {
          operationId: 'changePassword',
          summary: 'Change the password, and end every other session',
          tags,
          body: ChangePassword,
          response: { 200: Done },
        },
      },
      async ({ principal, body }) => {
        await account.changePassword(principal, body)
        return done
      },
    )

    app.post(
      '/totp',
      {
        schema: {
          operationId: 'beginTotp',
          summary: 'Create a secret for one-time codes, to be confirmed',
          tags,
          body: BeginTotp,
          response: { 201: TotpBegun },
          errors: ['CONFLICT'],
        },
      },
      async ({ principal, body }, reply) => {
        return reply.code(201).send({ data: await account.beginTotp(principal, body.password) })
      },
    )

    app.post(
      '/totp/confirm',
      {
        schema: {
          operationId: 'confirmTotp',
          summary: 'Enable one-time codes with a first code',
          tags,
          body: TotpCode,
          response: { 200: TotpConfirmed },
          errors: ['CONFLICT'],
        },
      },
      async ({ principal, body }) => ({ data: await account.confirmTotp(principal, body.code) }),
    )

    app.post(
      '/totp/disable',
      {
        schema: {
          operationId: 'disableTotp',
          summary: 'Disable one-time codes',
          tags,
          body: TotpDisable,
          response: { 200: Done },
          errors: ['CONFLICT'],
        },
      },
      async ({ principal, body }) => {
        await account.disableTotp(principal, body)
        return done
      },
    )
  }
}
