import { asList, asObject, asText, type JsonObject } from '../../json.ts'
import { templateRefusal } from '../http/errors.ts'

const BUTTONS_MAX = 10
const TEXT_MAX = 25

interface ButtonRule {
  countMax: number
  problem?: (button: JsonObject) => string | undefined
}

const RULES: Readonly<Record<string, ButtonRule>> = {
  QUICK_REPLY: { countMax: 10, problem: textProblem },
  URL: { countMax: 2, problem: (button) => textProblem(button) ?? urlProblem(button) },
  PHONE_NUMBER: {
    countMax: 1,
    problem: (button) => textProblem(button) ?? lengthProblem('phone number', button.phone_number, 20),
  },
  COPY_CODE: { countMax: 1, problem: (button) => lengthProblem('example code', [button.example].flat()[0], 20) },
  OTP: { countMax: 1 },
  FLOW: { countMax: 1, problem: textProblem },
  CATALOG: { countMax: 1 },
  MPM: { countMax: 1 },
  SPM: { countMax: 1 },
  VOICE_CALL: { countMax: 1 },
  APP: { countMax: 1 },
  REQUEST_CONTACT_INFO: { countMax: 1 },
  CALL_PERMISSION_REQUEST: { countMax: 1 },
}

export function checkTemplateButtons(component: JsonObject): void {
  const buttons = asList(component.buttons).map(asObject)
  const types = buttons.map((button) => asText(button.type).toUpperCase())
  if (buttons.length < 1 || buttons.length > BUTTONS_MAX) throw refuse(`There may be 1 to ${BUTTONS_MAX} buttons.`)
  buttons.forEach((button, index) => {
    const rule = RULES[types[index] ?? '']
    if (!rule) throw refuse(`The button type ${types[index] || 'none'} does not exist.`)
    const problem = rule.problem?.(button)
    if (problem) throw refuse(problem)
    const count = types.filter((type) => type === types[index]).length
    if (count > rule.countMax) throw refuse(`There may be at most ${rule.countMax} buttons of type ${types[index]}.`)
  })
  const isQuick = types.map((type) => type === 'QUICK_REPLY')
  const changes = isQuick.filter((quick, index) => index > 0 && quick !== isQuick[index - 1]).length
  if (changes > 1) throw refuse('Quick replies must stand together, before or after the other buttons.')
}

function textProblem(button: JsonObject): string | undefined {
  if (/\{\{/.test(asText(button.text))) return 'The text of a button cannot have variables.'
  return lengthProblem('text', button.text, TEXT_MAX)
}

function urlProblem(button: JsonObject): string | undefined {
  const url = asText(button.url)
  if (url.length > 2_000 || !/^https?:\/\/./.test(url)) return 'The url of a button must be http or https.'
  if (!url.includes('{{')) return undefined
  if (!url.endsWith('{{1}}') || url.indexOf('{{') !== url.lastIndexOf('{{')) {
    return 'A url has at most one variable, at its end.'
  }
  return asList(button.example).length === 0 ? 'A url with a variable needs an example.' : undefined
}

function lengthProblem(what: string, value: unknown, max: number): string | undefined {
  const isValid = typeof value === 'string' && value.length >= 1 && value.length <= max
  return isValid ? undefined : `The ${what} of a button must have 1 to ${max} characters.`
}

function refuse(explanation: string) {
  return templateRefusal(2388060, 'Button format is incorrect', explanation)
}
