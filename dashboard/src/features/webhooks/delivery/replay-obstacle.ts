import type { Delivery, DeliveryPayload, Webhook } from '@hubline/sdk/console'
import { isEventKind, isInMode } from '../../../api/events.ts'
import { isFinal } from './plan.ts'

type ReplayObstacle = 'inactive' | 'open' | 'erased' | 'past_retention' | 'mode'

/** Explains why the hub would refuse to replay a delivery, as far as the page knows. */
export function findReplayObstacle(
  { status, payload_mode }: Pick<Webhook, 'status' | 'payload_mode'>,
  delivery: Pick<Delivery, 'status' | 'event'>,
  payload: Pick<DeliveryPayload, 'gone'> | undefined,
): ReplayObstacle | undefined {
  if (payload?.gone) return payload.gone
  if (!isFinal(delivery)) return 'open'
  if (status !== 'active') return 'inactive'
  return isEventKind(delivery.event) && !isInMode(delivery.event, payload_mode) ? 'mode' : undefined
}
