import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { Endpoints } from '../../webhooks/endpoints/service.ts'
import type { ChannelConnections } from '../connection/service.ts'
import type { Check, Diagnostics } from '../schemas.ts'
import type { AccountSubscriptions } from '../subscriptions/service.ts'
import {
  type CallbackTimes,
  checkEndpoints,
  checkNumber,
  checkSignature,
  checkSubscription,
  checkToken,
  summarize,
  toCheck,
} from './checks.ts'
import * as store from './store.ts'

type Dependencies = {
  sql: Pool
  upstream: Upstream
  appId: string
  connections: ChannelConnections
  endpoints: Endpoints
  subscriptions: AccountSubscriptions
  now: Clock
  buildRefusedCounts: store.BuildRefusedCounts
}

export type Diagnosis = ReturnType<typeof createDiagnosis>

/** Checks what works for a channel, live at the upstream, with a remedy for each failing check. */
export function createDiagnosis(dependencies: Dependencies) {
  const { sql, upstream, appId, connections, endpoints, subscriptions, now, buildRefusedCounts } = dependencies

  async function checkUpstream(
    organizationId: string,
    row: Awaited<ReturnType<ChannelConnections['find']>>,
  ): Promise<Check[]> {
    const { phone_number_id, waba_id } = row
    if (phone_number_id === null || waba_id === null) {
      return [
        toCheck('token', 'failing', 'never_connected'),
        toCheck('number', 'skipped', 'no_number'),
        toCheck('subscription', 'skipped', 'no_account'),
      ]
    }
    const token = connections.readToken(organizationId, row)
    if (token === undefined) {
      return [
        toCheck('token', 'failing', 'token_unreadable'),
        toCheck('number', 'skipped', 'no_credential'),
        toCheck('subscription', 'skipped', 'no_credential'),
      ]
    }
    const [info, number, subscription] = await Promise.all([
      upstream.oauth.debugToken(token),
      upstream.phoneNumbers.get(token, phone_number_id),
      subscriptions.find(token, { wabaId: waba_id, phoneNumberId: phone_number_id }),
    ])
    const isRefused = [number, subscription].some((result) => !result.ok && result.failure.isCredentialRefused)
    if (isRefused || (info.ok && !info.value.is_valid)) {
      await connections.disconnectRefused({ organizationId, id: row.id }, token)
    }
    const isConnectedElsewhere = await connections.isConnectedElsewhere({ organizationId, id: row.id }, phone_number_id)
    return [
      checkToken(info, appId),
      isConnectedElsewhere ? toCheck('number', 'failing', 'number_of_another_channel') : checkNumber(number),
      checkSubscription(subscription),
    ]
  }

  async function findCallbackTimes(organizationId: string, wabaId: string | null): Promise<CallbackTimes> {
    const record =
      wabaId === null ? undefined : await store.findCallbackRecord(sql, { organizationId, wabaId }, buildRefusedCounts)
    return {
      verifiedAt: record?.last_event_id ? new Date(readIdTime(record.last_event_id)) : null,
      refusedAt: record?.refused_at ? new Date(record.refused_at) : null,
      refused: record?.refused ?? 0,
    }
  }

  return {
    async run(organizationId: string, id: string): Promise<Diagnostics> {
      const row = await connections.find({ organizationId, id })
      const receivers = await endpoints.findReceivers({ organizationId, channelId: id })
      const checks = [
        ...(await checkUpstream(organizationId, row)),
        checkSignature(await findCallbackTimes(organizationId, row.waba_id), now()),
        checkEndpoints(receivers),
      ]
      return { checked_at: now().toISOString(), overall: summarize(checks), checks }
    },
  }
}
