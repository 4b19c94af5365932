import type { OrganizationSettings, UpdateSettings } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { settingsQuery } from '../../../api/settings.ts'

export type { OrganizationSettings } from '@hubline/sdk/console'

/** The session shows the name and the date of a deletion too. */
export function useSettingsRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['settings'] }),
      client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ])
}

export function useSettingsUpdate(onSaved: () => void) {
  const { organization } = useSession()
  const client = useQueryClient()
  const refresh = useSettingsRefresh()
  return useMutation({
    mutationFn: async (changes: UpdateSettings) =>
      (await hub.console.updateSettings(organization.id, changes)).settings,
    async onSuccess(settings: OrganizationSettings) {
      client.setQueryData(settingsQuery(organization.id).queryKey, settings)
      onSaved()
      await refresh()
    },
  })
}
