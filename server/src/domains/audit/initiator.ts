export type ActorType = 'user' | 'api_key' | 'channel_token' | 'operator' | 'system'

type Actor = { type: ActorType; id: string | null; name: string | null }

/** The actor of a change, with the client's address and the request. Every service method that changes data takes one. */
export type Initiator = { actor: Actor; ip: string | null; requestId: string | null }

/** An operator who runs a command on the server. */
export const OPERATOR: Initiator = { actor: { type: 'operator', id: null, name: null }, ip: null, requestId: null }

/** The hub itself, on a timer or because of what it observed. */
export const SYSTEM: Initiator = { actor: { type: 'system', id: null, name: null }, ip: null, requestId: null }
