import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { CopyButton } from '../../../ui/controls/copy.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { JsonBlock } from '../../../ui/data/code.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { prettify } from './request-text.ts'

type ExchangeCardProps = {
  title: string
  /** Beside the title. */
  meta?: ReactNode
  headers: Record<string, unknown> | null
  body: string | undefined
  /** In the place of the body, or below it. */
  note?: ReactNode
  /** The copy button copies this. */
  copied: string
}

/** One side of an attempt: its headers, then its body. */
export function ExchangeCard({ title, meta, headers, body, note, copied }: ExchangeCardProps) {
  const t = useDeliveryTexts()
  const hasBody = body !== undefined && body !== ''
  return (
    <Card
      title={
        <>
          {title}
          <span className="text-base font-normal text-text-2">{meta}</span>
        </>
      }
      aside={<CopyButton text={copied} />}
      footer={note}
      isFlush
    >
      {headers && Object.keys(headers).length > 0 && (
        <dl className={cx('flex flex-col gap-1 p-4 font-mono text-meta', hasBody && 'border-b border-line')}>
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} className="break-all">
              <dt className="inline text-info">{name}: </dt>
              <dd className="inline text-text">{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {hasBody && <JsonBlock isFlush value={prettify(body)} label={`${title}, ${t('body')}`} />}
    </Card>
  )
}
