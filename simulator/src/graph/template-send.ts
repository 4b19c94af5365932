import { asList, asObject, type JsonObject } from '../json.ts'
import { refusal } from './errors.ts'
import type { LaterFailure, ShapeContext } from './media-shapes.ts'
import type { Template } from './model.ts'
import { objectAt, onlyKeys, textAt } from './parameters.ts'
import { parameterProblem } from './template-parameters.ts'

const COMPONENT_KEYS = ['type', 'sub_type', 'index', 'parameters', 'cards']

/** A template in review, rejected or deleted is as good as absent; paused and disabled ones say so. */
export function checkTemplateSend(
  params: JsonObject,
  context: ShapeContext,
): { template: Template; failure: LaterFailure | undefined } {
  const request = objectAt(params, 'template')
  onlyKeys(request, 'template', ['name', 'language', 'components', 'namespace'])
  const name = textAt(request, 'name', 'template')
  const language = textAt(objectAt(request, 'language', 'template'), 'code', "template['language']")
  const components = asList(request.components).map(asObject)
  components.forEach((component, index) => {
    onlyKeys(component, `template['components'][${index}]`, COMPONENT_KEYS)
  })
  const template = findTemplate(context, name, language)
  if (template?.status === 'PAUSED') throw refusal(132015, `template (${name}) is paused because of low quality`)
  if (template?.status === 'DISABLED') throw refusal(132016, `template (${name}) is disabled because of low quality`)
  if (template?.status !== 'APPROVED') throw refusal(132001, `template name (${name}) does not exist in ${language}`)
  return { template, failure: parameterProblem(template, components, context) }
}

function findTemplate({ graph, phone }: ShapeContext, name: string, language: string): Template | undefined {
  return [...graph.state.templates.values()].find(
    (template) => template.wabaId === phone.wabaId && template.name === name && template.language === language,
  )
}
