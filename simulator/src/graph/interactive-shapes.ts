import { asText, type JsonObject } from '../json.ts'
import { refusal, required } from './errors.ts'
import { type LaterFailure, mediaProblem, type ShapeContext } from './media-shapes.ts'
import { objectAt, objectsAt, oneOf, textAt } from './parameters.ts'

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

/** What each interactive type demands. Types that are not listed pass through unchecked. */
const RULES: Readonly<Record<string, InteractiveRule>> = {
  button: { header: 'any', bodyMax: 1_024, check: checkButtons },
  list: { header: 'text', bodyMax: 4_096, check: checkList },
  cta_url: {
    header: 'any',
    bodyMax: 1_024,
    check(action) {
      const parameters = namedAction(action, 'cta_url')
      textAt(parameters, 'display_text', PARAMETERS, 20)
      if (!URL.canParse(textAt(parameters, 'url', PARAMETERS))) throw refusal(131009, 'The button url is not a URL.')
    },
  },
  location_request_message: {
    header: 'none',
    bodyMax: 1_024,
    check: (action) => void oneOf(action.name, `${ACTION}['name']`, ['send_location']),
  },
  flow: { header: 'any', bodyMax: 1_024, check: checkFlow },
  call_permission_request: {
    header: 'none',
    bodyMax: 1_024,
    isBodyOptional: true,
    check: (action) => void oneOf(action.name, `${ACTION}['name']`, ['call_permission_request']),
  },
}

export function interactiveProblem(interactive: JsonObject, context: ShapeContext): LaterFailure | undefined {
  const type = textAt(interactive, 'type', 'interactive')
  const rule = RULES[type]
  if (!rule) return undefined
  checkBody(interactive, rule)
  if (interactive.footer !== undefined) {
    const footer = objectAt(interactive, 'footer', 'interactive')
    lengthBetween('Footer text', textAt(footer, 'text', "interactive['footer']"), 60)
  }
  rule.check(objectAt(interactive, 'action', 'interactive'))
  return headerProblem(interactive, rule, context)
}

function checkBody(interactive: JsonObject, rule: InteractiveRule): void {
  if (interactive.body === undefined && rule.isBodyOptional) return
  if (interactive.body === undefined) throw required("interactive['body']['text']")
  const { text } = objectAt(interactive, 'body', 'interactive')
  if (text === undefined) throw required("interactive['body']['text']")
  lengthBetween('Body text', asText(text), rule.bodyMax)
}

function headerProblem(
  interactive: JsonObject,
  rule: InteractiveRule,
  context: ShapeContext,
): LaterFailure | undefined {
  if (interactive.header === undefined) return undefined
  const header = objectAt(interactive, 'header', 'interactive')
  const type = asText(header.type)
  if (!HEADERS[rule.header].includes(type)) {
    throw refusal(131009, `A header of type ${type || 'none'} is not allowed in this interactive message.`)
  }
  const path = "interactive['header']"
  if (type === 'image' || type === 'video') return mediaProblem(header, type, [], context, path)
  if (type === 'document') return mediaProblem(header, type, ['filename'], context, path)
  lengthBetween('Header text', textAt(header, 'text', path), 60)
  return undefined
}

function checkButtons(action: JsonObject): void {
  const buttons = objectsAt(action, 'buttons', ACTION)
  countBetween('buttons', buttons.length, 1, 3)
  const replies = buttons.map((button, index) => {
    const path = `${ACTION}['buttons'][${index}]`
    oneOf(button.type, `${path}['type']`, ['reply'])
    const reply = objectAt(button, 'reply', path)
    lengthBetween('Button title', textAt(reply, 'title', `${path}['reply']`), 20)
    lengthBetween('Button id', textAt(reply, 'id', `${path}['reply']`), 256)
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
  lengthBetween('Button text', textAt(action, 'button', ACTION), 20)
  const sections = objectsAt(action, 'sections', ACTION)
  countBetween('sections', sections.length, 1, 10)
  const rows = sections.flatMap((section, index) => {
    const path = `${ACTION}['sections'][${index}]`
    if (sections.length > 1 || section.title !== undefined) {
      lengthBetween('Section title', textAt(section, 'title', path), 24)
    }
    return objectsAt(section, 'rows', path)
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
  textAt(parameters, 'flow_message_version', PARAMETERS)
  lengthBetween('Flow button', textAt(parameters, 'flow_cta', PARAMETERS), 30)
  if (parameters.flow_id === undefined && parameters.flow_name === undefined) throw required(`${PARAMETERS}['flow_id']`)
}

function namedAction(action: JsonObject, name: string): JsonObject {
  oneOf(action.name, `${ACTION}['name']`, [name])
  return objectAt(action, 'parameters', ACTION)
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
