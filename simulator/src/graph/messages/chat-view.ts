import { asList, asObject, asText, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { MEDIA_KINDS, type MediaKind } from '../media/media-types.ts'
import type { Message } from '../model.ts'
import { renderTemplate } from '../templates/template-rendering.ts'
import type { SentType } from './message-types.ts'

/** A message as the phone of the customer shows it. Members without a value are null or empty. */
export function toChatView(graph: Graph, message: Message): JsonObject {
  const { id, direction, type, at, content } = message
  return {
    id,
    from: direction === 'inbound' ? 'customer' : 'business',
    type,
    at: new Date(at).toISOString(),
    status: getTicks(message),
    error_code: message.failureCode ?? null,
    reply_to: findRepliedId(message),
    ...EMPTY,
    ...(READERS[type]?.(content, { graph, message }) ?? readMedia(type, content)),
  }
}

const EMPTY: JsonObject = {
  header: null,
  text: null,
  footer: null,
  buttons: [],
  list: null,
  media: null,
  location: null,
  reaction: null,
}

type Reader = (content: JsonObject, of: { graph: Graph; message: Message }) => JsonObject

const READERS: Readonly<Record<string, Reader>> = {
  text: (content) => ({ text: asText(asObject(content.text).body) }),
  button: (content) => ({ text: asText(asObject(content.button).text) }),
  location: (content) => {
    const { latitude, longitude, name, address } = asObject(content.location)
    return { location: { latitude, longitude, name: name ?? null, address: address ?? null } }
  },
  reaction: (content) => {
    const { message_id, emoji } = asObject(content.reaction)
    return { reaction: { message_id: asText(message_id), emoji: asText(emoji) } }
  },
  contacts: (content) => ({
    text: asList(content.contacts)
      .map((contact) => asText(asObject(asObject(contact).name).formatted_name))
      .join(', '),
  }),
  interactive: (content) => readInteractive(asObject(content.interactive)),
  template: (content, { graph, message }) => {
    return renderTemplate(graph.state.templates.get(message.templateId ?? ''), asObject(content.template))
  },
} satisfies Record<Exclude<SentType, MediaKind> | 'template' | 'button', Reader>

/** The ticks of a message: of the business as far as its statuses, of the customer until the business reads it. */
function getTicks({ direction, statuses }: Message): string {
  if (direction === 'inbound') return statuses.includes('read') ? 'read' : 'delivered'
  const last = statuses.at(-1) ?? 'accepted'
  return last === 'played' ? 'read' : last
}

function findRepliedId({ content, context }: Message): string | null {
  const { message_id: sent } = asObject(content.context)
  return asText(context?.id) || asText(sent) || null
}

function readMedia(type: string, content: JsonObject): JsonObject {
  if (!Object.hasOwn(MEDIA_KINDS, type)) return {}
  const { id, link, caption, filename, mime_type } = asObject(content[type])
  const media = { id: id ?? null, link: link ?? null, mime_type: mime_type ?? null, filename: filename ?? null }
  return { media, text: caption ?? null }
}

/** A message with buttons, a list or a link; or the choice of the customer. */
function readInteractive(interactive: JsonObject): JsonObject {
  const { type, header, body, footer, action } = interactive
  const reply = asObject(interactive[asText(type)])
  const chosen = asText(reply.title) || asText(reply.body)
  if (chosen) return { text: chosen }
  const { buttons, sections, button, parameters, name } = asObject(action)
  const rows = asList(sections).map(toSection)
  return {
    header: asText(asObject(header).text) || null,
    text: asText(asObject(body).text) || null,
    footer: asText(asObject(footer).text) || null,
    buttons: name === undefined ? asList(buttons).map(toButton) : [toAction(asText(name), asObject(parameters))],
    list: rows.length > 0 ? { button: asText(button), sections: rows } : null,
  }
}

function toButton(button: unknown): JsonObject {
  const { id, title } = asObject(asObject(button as JsonObject).reply)
  return { type: 'reply', id: asText(id), title: asText(title), url: null }
}

function toAction(name: string, { display_text, flow_cta, url }: JsonObject): JsonObject {
  return { type: name, id: null, title: asText(display_text) || asText(flow_cta) || name, url: asText(url) || null }
}

function toSection(section: unknown): JsonObject {
  const { title, rows } = asObject(section as JsonObject)
  return {
    title: title ?? null,
    rows: asList(rows).map((row) => {
      const { id, title: name, description } = asObject(row)
      return { id: asText(id), title: asText(name), description: description ?? null }
    }),
  }
}
