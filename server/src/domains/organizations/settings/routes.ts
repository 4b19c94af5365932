import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { SettingsResponse, UpdateSettings } from './schemas.ts'
import type { Settings } from './service.ts'

const tags = ['Console']

export function settingsRoutes(settings: Settings): FastifyPluginAsyncTypebox {
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
  }
}
