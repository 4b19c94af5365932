import { type ReactNode, useState } from 'react'
import { Badge } from '../../ui/data/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Inlines } from './blocks.tsx'
import type { Field, Reference, Shape } from './content.ts'
import { useDocsTexts } from './docs-texts.ts'

type Objects = Reference['objects']

/** Everything that a schema says: its members, and theirs when they are opened. */
export function ShapeView({ shape, objects, isOpen = true }: { shape: Shape; objects: Objects; isOpen?: boolean }) {
  const t = useDocsTexts()
  const { fields = [], variants = [] } = open(shape, objects)
  if (fields.length === 0 && variants.length === 0) return <ShapeWords shape={shape} />
  return (
    <>
      {fields.length > 0 && (
        <ul className="flex flex-col">
          {fields.map((field) => (
            <FieldRow key={field.name} field={field} objects={objects} />
          ))}
        </ul>
      )}
      {variants.length > 0 && (
        <div className="flex flex-col gap-1">
          <p className="text-meta text-text-3">{t('oneOf')}</p>
          {variants.map((variant, position) => (
            <Nested key={variant.label} name={variant.label} isOpen={isOpen && position === 0}>
              <ShapeView shape={variant.shape} objects={objects} isOpen={false} />
            </Nested>
          ))}
        </div>
      )}
    </>
  )
}

/** The object itself in the place of its name. */
export function open(shape: Shape, objects: Objects): Shape {
  const object = shape.object === undefined ? undefined : objects[shape.object]
  return object ? { ...object, ...shape } : shape
}

export function FieldRow({ field, objects }: { field: Field; objects: Objects }) {
  const t = useDocsTexts()
  const { name, isRequired, shape } = field
  const { fields = [], variants = [] } = open(shape, objects)
  const isNested = fields.length > 0 || variants.length > 0
  return (
    <li className="flex flex-col gap-1 border-b border-line py-2 last:border-b-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="font-mono text-meta break-all text-text">{name === '*' ? t('otherMembers') : name}</code>
        <span className="text-text-3">{shape.type}</span>
        {isRequired && <Badge tone="outline">{t('required')}</Badge>}
      </p>
      <ShapeWords shape={shape} isTyped />
      {isNested && (
        <Nested name={t('membersOf', { name })}>
          <ShapeView shape={shape} objects={objects} isOpen={false} />
        </Nested>
      )}
    </li>
  )
}

function ShapeWords({ shape, isTyped = false }: { shape: Shape; isTyped?: boolean }) {
  const t = useDocsTexts()
  const { type, text, limits = [], values = [] } = shape
  const facts = [...(isTyped ? [] : [type]), ...limits]
  return (
    <>
      {text && (
        <p>
          <Inlines inlines={text} />
        </p>
      )}
      {facts.length > 0 && <p className="break-words text-text-3">{facts.join(', ')}</p>}
      {values.length > 0 && (
        <p className="flex flex-wrap gap-x-2 text-text-3">
          {values.length > 1 && t('values')}
          {values.map((value) => (
            <code key={value} className="font-mono text-meta break-all text-text-2">
              {value}
            </code>
          ))}
        </p>
      )}
    </>
  )
}

/** Objects may contain themselves, so what is inside is there only once it is open. */
function Nested({
  name,
  isOpen: isOpenAtFirst = false,
  children,
}: {
  name: string
  isOpen?: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-6 items-center gap-1 rounded-badge text-left text-text-2 hover:text-text max-tablet:min-h-11"
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        {name}
      </button>
      {isOpen && <div className="mt-1 ml-1.5 border-l border-line pl-3">{children}</div>}
    </div>
  )
}
