import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/data/badge.tsx'
import type { Operation, Reference } from './content.ts'
import { useDocsTexts } from './docs-texts.ts'
import { FieldRow, ShapeView } from './shape-view.tsx'

type Objects = Reference['objects']
const PLACES = ['path', 'header', 'query'] as const

export function Method({ method }: { method: string }) {
  return (
    <Badge tone={method === 'DELETE' ? 'danger' : method === 'EVENT' ? 'neutral' : 'accent'} isCode>
      {method}
    </Badge>
  )
}

/** Shows everything that a caller gives: parameters by their place, and the body. */
export function Inputs({ operation, objects }: { operation: Operation; objects: Objects }) {
  const t = useDocsTexts()
  const { parameters, body, method } = operation
  return (
    <>
      {PLACES.map((place) => {
        const fields = parameters.filter((one) => one.place === place)
        if (fields.length === 0) return null
        return (
          <section key={place} className="flex flex-col">
            <h3 className="text-section font-semibold text-text">{t(place)}</h3>
            <ul>
              {fields.map((field) => (
                <FieldRow key={field.name} field={field} objects={objects} />
              ))}
            </ul>
          </section>
        )
      })}
      {body && (
        <section className="flex flex-col gap-1">
          <h3 className="flex flex-wrap items-center gap-2 text-section font-semibold text-text">
            {t(method === 'EVENT' ? 'payload' : 'body')}
            <code className="font-mono text-meta font-normal text-text-3">{body.contentType}</code>
            {!body.isRequired && <span className="text-meta font-normal text-text-3">{t('optionalBody')}</span>}
          </h3>
          <ShapeView shape={body.shape} objects={objects} />
        </section>
      )}
    </>
  )
}

/** Each status with the codes that it can have, which lead to their reasons. */
export function Errors({ errors }: { errors: Operation['errors'] }) {
  return (
    <dl className="flex flex-col">
      {errors.map(({ status, codes }) => (
        <div key={status} className="flex gap-3 border-b border-line py-2 last:border-b-0">
          <dt className="w-9 shrink-0">
            <Badge isCode>{status}</Badge>
          </dt>
          <dd className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
            {codes.map((code) => (
              <Link
                key={code}
                to="/docs/$guide"
                params={{ guide: 'error-reasons' }}
                hash={code.toLowerCase()}
                className="rounded-badge font-mono text-meta break-all text-text hover:text-accent hover:underline"
              >
                {code}
              </Link>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
