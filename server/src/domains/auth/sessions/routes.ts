import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { type SessionCookie, visitorOf } from './cookie.ts'
import {
  ChangePassword,
  CurrentSessionAnswer,
  Done,
  SessionList,
  SignIn,
  SwitchOrganization,
  TotpBegun,
  TotpCode,
  TotpConfirmed,
  TotpDisable,
} from './schemas.ts'
import type { Sessions } from './service.ts'

const done = { data: { done: true as const } }

export function sessionRoutes(sessions: Sessions, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-in',
      { schema: { body: SignIn, response: { 200: CurrentSessionAnswer } } },
      async (request, reply) => {
        const { token, current } = await sessions.signIn(request.body, visitorOf(request))
        cookie.set(reply, token)
        return { data: current }
      },
    )

    app.post('/sign-out', { schema: { response: { 200: Done } } }, async ({ principal }, reply) => {
      await sessions.signOut(principal)
      cookie.clear(reply)
      return done
    })

    app.get('/session', { schema: { response: { 200: CurrentSessionAnswer } } }, async ({ principal }) => {
      return { data: await sessions.current(principal) }
    })

    app.put(
      '/session/organization',
      { schema: { body: SwitchOrganization, response: { 200: CurrentSessionAnswer } } },
      async ({ principal, body }) => ({ data: await sessions.switchOrganization(principal, body.organization_id) }),
    )

    app.get('/sessions', { schema: { response: { 200: SessionList } } }, async ({ principal }) => {
      return { data: { sessions: await sessions.list(principal) } }
    })

    app.delete(
      '/sessions/:id',
      { schema: { params: IdParams, response: { 200: Done } } },
      async ({ principal, params }) => {
        await sessions.revoke(principal, params.id)
        return done
      },
    )

    app.put('/password', { schema: { body: ChangePassword, response: { 200: Done } } }, async ({ principal, body }) => {
      await sessions.changePassword(principal, body)
      return done
    })

    app.post('/totp', { schema: { response: { 201: TotpBegun } } }, async ({ principal }, reply) => {
      return reply.code(201).send({ data: await sessions.beginTotp(principal) })
    })

    app.post(
      '/totp/confirm',
      { schema: { body: TotpCode, response: { 200: TotpConfirmed } } },
      async ({ principal, body }) => ({ data: await sessions.confirmTotp(principal, body.code) }),
    )

    app.post(
      '/totp/disable',
      { schema: { body: TotpDisable, response: { 200: Done } } },
      async ({ principal, body }) => {
        await sessions.disableTotp(principal, body)
        return done
      },
    )
  }
}
