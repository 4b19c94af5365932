import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { readClientInfo } from '../client-info.ts'
import type { SessionCookie } from './cookie.ts'
import { CurrentSessionResponse, Done, SessionList, SignIn, SwitchOrganization } from './schemas.ts'
import type { Sessions } from './service.ts'

const tags = ['Console']
const done = { data: { done: true as const } }

export function sessionRoutes(sessions: Sessions, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-in',
      {
        schema: {
          operationId: 'signIn',
          summary: 'Sign in with e-mail, password and, if enabled, a one-time code',
          tags,
          body: SignIn,
          response: { 200: CurrentSessionResponse },
          errors: ['UNAUTHORIZED', 'NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const { token, current } = await sessions.signIn(request.body, readClientInfo(request))
        cookie.set(reply, token)
        return { data: current }
      },
    )

    app.post(
      '/sign-out',
      { schema: { operationId: 'signOut', summary: 'End this session', tags, response: { 200: Done } } },
      async ({ principal }, reply) => {
        await sessions.signOut(principal)
        cookie.clear(reply)
        return done
      },
    )

    app.get(
      '/session',
      {
        schema: {
          operationId: 'showSession',
          summary: 'Show who is signed in, and for which organization',
          tags,
          response: { 200: CurrentSessionResponse },
        },
      },
      async ({ principal }) => {
        return { data: await sessions.current(principal) }
      },
    )

    app.put(
      '/session/organization',
      {
        schema: {
          operationId: 'switchOrganization',
          summary: 'Switch the session to another organization',
          tags,
          body: SwitchOrganization,
          response: { 200: CurrentSessionResponse },
        },
      },
      async ({ principal, body }) => ({ data: await sessions.switchOrganization(principal, body.organization_id) }),
    )

    app.get(
      '/sessions',
      {
        schema: {
          operationId: 'listSessions',
          summary: 'List the sessions of the person',
          tags,
          response: { 200: SessionList },
        },
      },
      async ({ principal }) => {
        return { data: { sessions: await sessions.list(principal) } }
      },
    )

    app.delete(
      '/sessions/:id',
      {
        schema: {
          operationId: 'revokeSession',
          summary: 'End another session of the person',
          tags,
          params: IdParams,
          response: { 200: Done },
        },
      },
      async ({ principal, params }) => {
        await sessions.revoke(principal, params.id)
        return done
      },
    )
  }
}
