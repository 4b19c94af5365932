import type { Delivery } from '@hubline/sdk/console'
import type { DetailSearch } from '../search.ts'

/** The newest deliveries of an endpoint that the filters let through. */
export function filterDeliveries(deliveries: readonly Delivery[], { status, event, http }: DetailSearch): Delivery[] {
  return deliveries.filter(
    (delivery) =>
      (status === undefined || delivery.status === status) &&
      (event === undefined || delivery.event === event) &&
      (http === undefined || toHttpClass(delivery) === http),
  )
}

/** `none` is an attempt without a response; a delivery without an attempt has no class. */
function toHttpClass({ last_http_status: status, attempts }: Delivery): string | undefined {
  if (status !== null) return `${Math.floor(status / 100)}xx`
  return attempts > 0 ? 'none' : undefined
}
