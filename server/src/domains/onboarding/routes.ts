import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { readClientInfo } from '../auth/client-info.ts'
import { LOGO_HEADERS } from '../organizations/logo-headers.ts'
import { Connect, Connected, ConnectWithToken, LinkParams, OpenLink } from './schemas.ts'
import type { Onboarding } from './service.ts'

const tags = ['Connecting']
const IMAGE = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

const CONNECTION_ERRORS = ['NUMBER_ALREADY_CONNECTED', 'UPSTREAM_REJECTED', 'UPSTREAM_UNAVAILABLE'] as const

export function onboardingRoutes(onboarding: Onboarding): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/connect/:token',
      {
        schema: {
          operationId: 'showConnectLink',
          summary: 'Show a connect link',
          tags,
          params: LinkParams,
          response: { 200: OpenLink },
          errors: ['CONNECT_LINK_USED', 'CONNECT_LINK_EXPIRED'],
        },
      },
      async ({ params }) => ({ data: await onboarding.show(params.token) }),
    )

    app.get(
      '/connect/:token/logo',
      {
        schema: {
          operationId: 'downloadConnectLogo',
          summary: 'Download the logo of the organization of a connect link',
          tags,
          params: LinkParams,
          response: { 200: { description: 'The body is the image.', content: { 'image/*': { schema: IMAGE } } } },
          errors: ['CONNECT_LINK_USED', 'CONNECT_LINK_EXPIRED'],
        },
      },
      async ({ params }, reply) => {
        const logo = await onboarding.findLogo(params.token)
        return reply.headers(LOGO_HEADERS).type(logo.type).send(logo.bytes)
      },
    )

    app.post(
      '/connect/:token',
      {
        schema: {
          operationId: 'useConnectLink',
          summary: 'Connect a number with the outcome of the sign-up',
          tags,
          params: LinkParams,
          body: Connect,
          response: { 200: Connected },
          errors: [...CONNECTION_ERRORS, 'OPERATION_IN_PROGRESS', 'CONNECT_LINK_USED', 'CONNECT_LINK_EXPIRED'],
        },
      },
      async (request) => {
        const { params, body } = request
        return { data: { channel: await onboarding.connect(params.token, body, readClientInfo(request)) } }
      },
    )

    app.post(
      '/channels/:id/connection',
      {
        schema: {
          operationId: 'connectChannel',
          summary: 'Connect a number with a token of your own, without the page',
          tags,
          params: IdParams,
          body: ConnectWithToken,
          response: { 200: Connected },
          errors: CONNECTION_ERRORS,
        },
      },
      async ({ principal, params, body }) => ({
        data: { channel: await onboarding.connectWithToken(principal, params.id, body) },
      }),
    )
  }
}
