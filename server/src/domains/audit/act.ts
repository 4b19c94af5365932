export type ActorType = 'user' | 'api_key' | 'channel_token' | 'operator' | 'system'

export type Actor = { type: ActorType; id: string | null; name: string | null }

/** Who does something, and from where. Services that change anything take one. */
export type Act = { actor: Actor; ip: string | null; requestId: string | null }

/** A command at the machine's own shell. */
export const OPERATOR: Act = { actor: { type: 'operator', id: null, name: null }, ip: null, requestId: null }
