import { asList, asObject, type JsonObject } from '../../json.ts'
import { refusal } from '../http/errors.ts'
import { checkKeys, requireObject, requireText } from '../http/parameters.ts'
import type { DeliveryFailure, MessageContext } from '../messages/media-object.ts'
import type { Template } from '../model.ts'
import { checkTemplateParameters } from './template-parameters.ts'

const COMPONENT_KEYS = ['type', 'sub_type', 'index', 'parameters', 'cards']

/** Only approved templates exist for sending; paused and disabled ones have error codes of their own. */
export function checkTemplateSend(
  params: JsonObject,
  context: MessageContext,
): { template: Template; failure: DeliveryFailure | undefined } {
  const request = requireObject(params, 'template')
  checkKeys(request, 'template', ['name', 'language', 'components', 'namespace'])
  const name = requireText(request, 'name', 'template')
  const language = requireText(requireObject(request, 'language', 'template'), 'code', "template['language']")
  const components = asList(request.components).map(asObject)
  components.forEach((component, index) => {
    checkKeys(component, `template['components'][${index}]`, COMPONENT_KEYS)
  })
  const template = findTemplate(context, name, language)
  if (template?.status === 'PAUSED') throw refusal(132015, `template (${name}) is paused because of low quality`)
  if (template?.status === 'DISABLED') throw refusal(132016, `template (${name}) is disabled because of low quality`)
  if (template?.status !== 'APPROVED') throw refusal(132001, `template name (${name}) does not exist in ${language}`)
  return { template, failure: checkTemplateParameters(template, components, context) }
}

export function findTemplate({ graph, phone }: MessageContext, name: string, language: string): Template | undefined {
  return [...graph.state.templates.values()].find(
    (template) => template.wabaId === phone.wabaId && template.name === name && template.language === language,
  )
}
