import { useSandbox } from '../../api/setup.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useOnboardingTexts } from './onboarding-texts.ts'

/** Lists what is to be done before customers come. */
export function LaterCard() {
  const t = useOnboardingTexts()
  const items: readonly (readonly [IconName, string, string])[] = [
    ...(useSandbox() ? [['server', t('later.app'), t('later.appText')] as const] : []),
    ['lock', t('later.keys'), t('later.keysText')],
    ['users', t('later.team'), t('later.teamText')],
  ]
  return (
    <aside className="rounded-card border border-line bg-surface p-5">
      <h3 className="mb-4 text-section font-semibold text-text">{t('later')}</h3>
      <ul className="flex flex-col gap-4">
        {items.map(([icon, title, text]) => (
          <li key={icon} className="flex gap-3">
            <Icon name={icon} size={16} className="mt-0.5 text-text-2" />
            <span className="min-w-0">
              <span className="block font-medium text-text">{title}</span>
              <span className="text-meta text-text-2">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
