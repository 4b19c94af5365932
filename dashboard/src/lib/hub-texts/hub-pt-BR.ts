import { ptBR as checks } from '@hubline/locales/checks/pt-BR.ts'
import { ptBR as codes } from '@hubline/locales/codes/pt-BR.ts'
import { ptBR as errors } from '@hubline/locales/errors/pt-BR.ts'
import { ptBR as fields } from '@hubline/locales/fields/pt-BR.ts'
import { ptBR as issues } from '@hubline/locales/issues/pt-BR.ts'
import { ptBR as upstreamErrors } from '@hubline/locales/upstream-errors/pt-BR.ts'

export const texts = { checks, codes, errors, fields, issues, upstreamErrors }
