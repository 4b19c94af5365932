import { asText, type JsonObject } from '../../json.ts'
import { refusal, required } from '../http/errors.ts'
import { requireChoice, requireObject, requireObjects, requireText } from '../http/parameters.ts'
import { checkMedia, type DeliveryFailure, type MessageContext } from './media-object.ts'

interface InteractiveRule {
  header: 'any' | 'text' | 'none'
  bodyMax: number
  isBodyOptional?: true
  check(action: JsonObject): void
}

const ACTION = "interactive['action']"
const HEADERS: Readonly<Record<InteractiveRule['header'], readonly string[]>> = {
  any: ['text', 'image', 'video', 'document'],
  text: ['text'],
  none: [],
}
const PARAMETERS = `${ACTION}['parameters']`

/** The rules of each interactive type. Other types are not checked. */
const RULES: Readonly<Record<string, InteractiveRule>> = {
  button: { header: 'any', bodyMax: 1_024, check: checkButtons },
  list: { header: 'text', bodyMax: 4_096, check: checkList },
  cta_url: {
    header: 'any',
    bodyMax: 1_024,
    check(action) {
      const parameters = namedAction(action, 'cta_url')
      requireText(parameters, 'display_text', PARAMETERS, 20)
      if (!URL.canParse(requireText(parameters, 'url', PARAMETERS)))
        throw refusal(131009, 'The button url is not a URL.')
    },
  },
  location_request_message: {
    header: 'none',
    bodyMax: 1_024,
    check: (action) => void requireChoice(action.name, `${ACTION}['name']`, ['send_location']),
  },
  flow: { header: 'any', bodyMax: 1_024, check: checkFlow },
  call_permission_request: {
    header: 'none',
    bodyMax: 1_024,
    isBodyOptional: true,
    check: (action) => void requireChoice(action.name, `${ACTION}['name']`, ['call_permission_request']),
  },
}

export function checkInteractive(interactive: JsonObject, context: MessageContext): DeliveryFailure | undefined {
  const type = requireText(interactive, 'type', 'interactive')
  const rule = RULES[type]
  if (!rule) return undefined
  checkBody(interactive, rule)
  if (interactive.footer !== undefined) {
    const footer = requireObject(interactive, 'footer', 'interactive')
    lengthBetween('Footer text', requireText(footer, 'text', "interactive['footer']"), 60)
  }
  rule.check(requireObject(interactive, 'action', 'interactive'))
  return checkHeader(interactive, rule, context)
}

function checkBody(interactive: JsonObject, rule: InteractiveRule): void {
  if (interactive.body === undefined && rule.isBodyOptional) return
  if (interactive.body === undefined) throw required("interactive['body']['text']")
  const { text } = requireObject(interactive, 'body', 'interactive')
  if (text === undefined) throw required("interactive['body']['text']")
  lengthBetween('Body text', asText(text), rule.bodyMax)
}

function checkHeader(
  interactive: JsonObject,
  rule: InteractiveRule,
  context: MessageContext,
): DeliveryFailure | undefined {
  if (interactive.header === undefined) return undefined
  const header = requireObject(interactive, 'header', 'interactive')
  const type = asText(header.type)
  if (!HEADERS[rule.header].includes(type)) {
    throw refusal(131009, `A header of type ${type || 'none'} is not allowed in this interactive message.`)
  }
  const path = "interactive['header']"
  if (type === 'image' || type === 'video') return checkMedia(header, type, [], context, path)
  if (type === 'document') return checkMedia(header, type, ['filename'], context, path)
  lengthBetween('Header text', requireText(header, 'text', path), 60)
  return undefined
}

function checkButtons(action: JsonObject): void {
  const buttons = requireObjects(action, 'buttons', ACTION)
  countBetween('buttons', buttons.length, 1, 3)
  const replies = buttons.map((button, index) => {
    const path = `${ACTION}['buttons'][${index}]`
    requireChoice(button.type, `${path}['type']`, ['reply'])
    const reply = requireObject(button, 'reply', path)
    lengthBetween('Button title', requireText(reply, 'title', `${path}['reply']`), 20)
    lengthBetween('Button id', requireText(reply, 'id', `${path}['reply']`), 256)
    return reply
  })
  unique(
    'Button ids',
    replies.map((reply) => asText(reply.id)),
  )
  unique(
    'Button titles',
    replies.map((reply) => asText(reply.title)),
  )
}

function checkList(action: JsonObject): void {
  lengthBetween('Button text', requireText(action, 'button', ACTION), 20)
  const sections = requireObjects(action, 'sections', ACTION)
  countBetween('sections', sections.length, 1, 10)
  const rows = sections.flatMap((section, index) => {
    const path = `${ACTION}['sections'][${index}]`
    if (sections.length > 1 || section.title !== undefined) {
      lengthBetween('Section title', requireText(section, 'title', path), 24)
    }
    return requireObjects(section, 'rows', path)
  })
  countBetween('rows', rows.length, 1, 10)
  for (const row of rows) {
    lengthBetween('Row id', asText(row.id), 200)
    lengthBetween('Row title', asText(row.title), 24)
    if (row.description !== undefined) lengthBetween('Row description', asText(row.description), 72)
  }
  unique(
    'Row ids',
    rows.map((row) => asText(row.id)),
  )
}

function checkFlow(action: JsonObject): void {
  const parameters = namedAction(action, 'flow')
  requireText(parameters, 'flow_message_version', PARAMETERS)
  lengthBetween('Flow button', requireText(parameters, 'flow_cta', PARAMETERS), 30)
  if (parameters.flow_id === undefined && parameters.flow_name === undefined) throw required(`${PARAMETERS}['flow_id']`)
}

function namedAction(action: JsonObject, name: string): JsonObject {
  requireChoice(action.name, `${ACTION}['name']`, [name])
  return requireObject(action, 'parameters', ACTION)
}

function countBetween(what: string, count: number, min: number, max: number): void {
  if (count >= min && count <= max) return
  throw refusal(131009, `Invalid ${what} count. Min allowed ${what}: ${min}, Max allowed ${what}: ${max}`)
}

function lengthBetween(what: string, text: string, max: number): void {
  if (text.length >= 1 && text.length <= max) return
  throw refusal(131009, `${what} length invalid. Min length: 1, Max length: ${max}`)
}

function unique(what: string, values: string[]): void {
  if (new Set(values).size < values.length) throw refusal(131009, `${what} must be unique within the message.`)
}
