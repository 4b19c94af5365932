import type { Graph } from '../context.ts'
import type { Message, Phone } from '../model.ts'
import { findCountry } from './recipients.ts'

export function storeMessage(
  graph: Graph,
  phone: Phone,
  waId: string,
  fields: Omit<Message, 'id' | 'phoneId' | 'waId' | 'at' | 'statuses' | 'country'>,
): Message {
  const id = createWamid(graph, waId)
  const at = graph.clock.now()
  const message: Message = { ...fields, id, phoneId: phone.id, waId, at, statuses: [], country: findCountry(waId) }
  graph.state.messages.set(id, message)
  return message
}

/** Message ids are base64 with `/` and `+`, so that clients must escape them in paths. */
export function createWamid(graph: Graph, waId: string): string {
  const bytes = `\u001c\u0018${String.fromCharCode(waId.length)}${waId}\u0015\u0002\u0000\u0011\u0018\u0012${graph.random.text(18)}\u0000`
  return `wamid.${Buffer.from(bytes, 'latin1').toString('base64')}`
}
