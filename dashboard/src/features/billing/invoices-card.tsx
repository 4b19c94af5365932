import type { InvoiceView } from '@hubline/sdk/console'
import { useInfiniteQuery } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { useSession } from '../../api/session.ts'
import { invoicesKey } from '../../api/subscription.ts'
import { formatMoney } from '../../lib/format.ts'
import { Button, ButtonAnchor } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { Status } from '../../ui/data/status.tsx'
import { ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useBillingTexts } from './billing-texts.ts'
import { useBillingDay } from './days.ts'

const PAGE_LENGTH = 6

/** The invoices as the payment provider has them, with its pages to pay or print them. */
export function InvoicesCard() {
  const t = useBillingTexts()
  const u = useUiTexts()
  const { organization } = useSession()
  const invoices = useInfiniteQuery({
    queryKey: [...invoicesKey, organization.id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      hub.console.listInvoices(organization.id, { limit: PAGE_LENGTH, cursor }).firstPage(),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const rows = invoices.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Card title={t('invoices')} isFlush>
      {invoices.isPending ? (
        <Skeleton rows={3} rowClass="h-14" />
      ) : rows.length > 0 ? (
        <ul aria-label={t('invoices')}>
          {rows.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      ) : (
        !invoices.isError && <p className="p-4">{t('noInvoices')}</p>
      )}
      {invoices.isError && (
        <ErrorState
          title={t('invoicesFailed')}
          error={invoices.error}
          onRetry={() => void (rows.length > 0 ? invoices.fetchNextPage() : invoices.refetch())}
        />
      )}
      {invoices.hasNextPage && !invoices.isError && (
        <div className="px-4 py-3">
          <Button size="bar" isBusy={invoices.isFetchingNextPage} onClick={() => void invoices.fetchNextPage()}>
            {u('loadMore')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function InvoiceRow({ invoice }: { invoice: InvoiceView }) {
  const t = useBillingTexts()
  const toDay = useBillingDay()
  const { number, status, total, currency, created_at, period_start, period_end, hosted_url, pdf_url } = invoice
  const name = number ?? toDay(created_at)
  const verb = status === 'open' ? 'pay' : 'view'
  const period =
    period_start !== null &&
    period_end !== null &&
    t('invoicePeriod', { from: toDay(period_start), to: toDay(period_end) })
  return (
    <li className="flex flex-col gap-0.5 border-b border-line px-4 py-2.5 last:border-b-0">
      <div className="flex items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-x-3 text-text">
          <time dateTime={created_at}>{toDay(created_at)}</time>
          <Status status={status} />
        </p>
        <strong className="font-semibold text-text tabular-nums">{formatMoney(total, currency)}</strong>
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap gap-x-3 text-meta text-text-3">
          {number !== null && <span className="font-mono">{number}</span>}
          {period && <span>{period}</span>}
        </p>
        <p className="-mr-2 flex shrink-0">
          {hosted_url !== null && (
            <ButtonAnchor kind="quiet" size="bar" href={hosted_url} aria-label={t(`${verb}Invoice`, { name })}>
              {t(verb)}
            </ButtonAnchor>
          )}
          {pdf_url !== null && (
            <ButtonAnchor kind="quiet" size="bar" href={pdf_url} aria-label={t('invoicePdf', { name })}>
              PDF
            </ButtonAnchor>
          )}
        </p>
      </div>
    </li>
  )
}
