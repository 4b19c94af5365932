import { useApiKeysTexts } from './api-keys-texts.ts'
import { listRoutes } from './scopes.ts'

/** The routes that these scopes open, as the hub checks them. */
export function OpenedRoutes({ chosen }: { chosen: readonly string[] }) {
  const t = useApiKeysTexts()
  const routes = listRoutes(chosen)
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <div className="flex items-baseline justify-between">
        <h3 className="font-semibold text-text">{t('canCall')}</h3>
        <span role="status" className="text-text-3">
          {t('routes', { count: routes.length })}
        </span>
      </div>
      <RouteList routes={routes} />
      {chosen.includes('webhooks:write') && !chosen.includes('messages:read') && (
        <p className="text-meta text-warn">{t('webhooksRead')}</p>
      )}
    </section>
  )
}

function RouteList({ routes }: { routes: ReturnType<typeof listRoutes> }) {
  const t = useApiKeysTexts()
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
      tabIndex={0}
      aria-label={t('canCall')}
      className="max-h-52 overflow-auto rounded-control border border-line bg-sunken p-3 font-mono text-meta"
    >
      {routes.length === 0 && <p className="font-sans text-base">{t('noRoutes')}</p>}
      {routes.map(({ method, path }) => (
        <p key={`${method} ${path}`} className="whitespace-pre-wrap break-all text-text">
          <span className="text-text-3">{method.padEnd(7)}</span>
          {path}
        </p>
      ))}
    </section>
  )
}
