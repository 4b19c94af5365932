import { es as checks } from '@hubline/locales/checks/es.ts'
import { es as codes } from '@hubline/locales/codes/es.ts'
import { es as errors } from '@hubline/locales/errors/es.ts'
import { es as fields } from '@hubline/locales/fields/es.ts'
import { es as issues } from '@hubline/locales/issues/es.ts'
import { es as upstreamErrors } from '@hubline/locales/upstream-errors/es.ts'

export const texts = { checks, codes, errors, fields, issues, upstreamErrors }
