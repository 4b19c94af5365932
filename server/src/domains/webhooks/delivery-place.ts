const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** A delivery by which a list of all deliveries of an organization goes on. */
export type DeliveryPlace = { endpointId: string; id: string }

/** In such a list, deferred fan-outs come first, under this endpoint and with the id of their event. */
export const DEFERRED = BEFORE_ALL

export const BEFORE_ALL_DELIVERIES: DeliveryPlace = { endpointId: BEFORE_ALL, id: BEFORE_ALL }
