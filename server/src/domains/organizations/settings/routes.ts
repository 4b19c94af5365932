import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { LARGE_BODY_BYTES_MAX } from '../../../kernel/http/body.ts'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { LOGO_HEADERS } from '../logo-headers.ts'
import type { Organizations } from '../service.ts'
import { LogoQuery, SettingsResponse, UpdateLogo, UpdateSettings } from './schemas.ts'
import type { Settings } from './service.ts'

const tags = ['Console']
const IMAGE = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

type Services = { settings: Settings; organizations: Organizations }

export function settingsRoutes({ settings, organizations }: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:id/settings',
      {
        schema: {
          operationId: 'showSettings',
          summary: 'Show the settings of an organization',
          tags,
          params: IdParams,
          response: { 200: SettingsResponse },
        },
      },
      async ({ principal }) => ({ data: { settings: await settings.show(principal.organizationId) } }),
    )

    app.patch(
      '/organizations/:id/settings',
      {
        schema: {
          operationId: 'updateSettings',
          summary: 'Change settings of an organization',
          tags,
          params: IdParams,
          body: UpdateSettings,
          response: { 200: SettingsResponse },
          errors: ['CONFLICT'],
        },
      },
      async ({ principal, body }) => ({ data: { settings: await settings.update(principal, body) } }),
    )

    app.get(
      '/organizations/:id/logo',
      {
        schema: {
          operationId: 'downloadLogo',
          summary: 'Download the logo of an organization',
          tags,
          params: IdParams,
          querystring: LogoQuery,
          response: { 200: { description: 'The body is the image.', content: { 'image/*': { schema: IMAGE } } } },
        },
      },
      async ({ principal }, reply) => {
        const logo = await organizations.findLogo(principal.organizationId)
        return reply.headers(LOGO_HEADERS).type(logo.type).send(logo.bytes)
      },
    )

    app.put(
      '/organizations/:id/logo',
      {
        bodyLimit: LARGE_BODY_BYTES_MAX,
        schema: {
          operationId: 'updateLogo',
          summary: 'Set the logo of an organization',
          tags,
          params: IdParams,
          body: UpdateLogo,
          response: { 200: SettingsResponse },
        },
      },
      async ({ principal, body }) => ({ data: { settings: await settings.setLogo(principal, body) } }),
    )

    app.delete(
      '/organizations/:id/logo',
      {
        schema: {
          operationId: 'deleteLogo',
          summary: 'Remove the logo of an organization',
          tags,
          params: IdParams,
          response: { 200: SettingsResponse },
        },
      },
      async ({ principal }) => ({ data: { settings: await settings.setLogo(principal, undefined) } }),
    )
  }
}
