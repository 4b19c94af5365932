import { useApiKeysTexts } from './api-keys-texts.ts'
import { type KeyScope, RESOURCES } from './scopes.ts'

type ScopeMatrixProps = {
  chosen: readonly KeyScope[]
  /** The scopes that the person may grant. */
  granted: readonly KeyScope[]
  onChange: (chosen: readonly KeyScope[]) => void
}

type ResourceText = Extract<Parameters<ReturnType<typeof useApiKeysTexts>>[0], `resource.${string}`>

/** A row for each resource, with its reading and its writing scope. */
export function ScopeMatrix({ chosen, granted, onChange }: ScopeMatrixProps) {
  const t = useApiKeysTexts()
  function toggle(scope: KeyScope, isChosen: boolean): void {
    onChange(isChosen ? [...chosen, scope] : chosen.filter((one) => one !== scope))
  }
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="h-8 border-b border-line text-left text-meta text-text-3">
          <th scope="col" className="font-medium">
            {t('resource')}
          </th>
          <th scope="col" className="font-medium max-tablet:hidden">
            {t('opens')}
          </th>
          <th scope="col" className="w-20 font-medium">
            {t('read')}
          </th>
          <th scope="col" className="w-24 font-medium">
            {t('write')}
          </th>
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map(({ name, read, write }) => (
          <tr key={name} className="h-8 border-b border-line max-tablet:h-11">
            <th scope="row" className="pr-4 text-left font-mono text-meta font-normal text-text">
              {name}
            </th>
            <td className="text-text-2 max-tablet:hidden">{t(`resource.${name}` as ResourceText)}</td>
            {[read, write].map((scope, column) => (
              <td key={column}>
                {scope && (
                  <ScopeBox
                    scope={scope}
                    isChosen={chosen.includes(scope)}
                    isGranted={granted.includes(scope)}
                    onToggle={toggle}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ScopeBoxProps = {
  scope: KeyScope
  isChosen: boolean
  isGranted: boolean
  onToggle: (scope: KeyScope, isChosen: boolean) => void
}

function ScopeBox({ scope, isChosen, isGranted, onToggle }: ScopeBoxProps) {
  const t = useApiKeysTexts()
  const verb = scope.split(':')[1]
  return (
    <label className="inline-flex items-center gap-2 align-middle" title={isGranted ? scope : t('notYours')}>
      <input
        type="checkbox"
        aria-label={scope}
        checked={isChosen}
        disabled={!isGranted}
        onChange={({ target }) => onToggle(scope, target.checked)}
        className="size-4 accent-accent"
      />
      {/* The column says the other verbs. */}
      {verb !== 'read' && verb !== 'write' && <span className="text-text-3">{verb}</span>}
    </label>
  )
}
