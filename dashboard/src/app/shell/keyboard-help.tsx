import { PALETTE_KEYS } from '../../lib/shortcuts.ts'
import { Kbd } from '../../ui/controls/filters.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useShellTexts } from './shell-texts.ts'

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const t = useShellTexts()
  const keys = [
    [PALETTE_KEYS, t('keyPalette')],
    ['/', t('keySearch')],
    ['j k', t('keyMove')],
    ['Enter', t('keyOpen')],
    ['Esc', t('keyClose')],
    ['r', t('keyReplay')],
    ['g o, g c, g m, g t, g w', t('keyGo')],
    ['?', t('keyHelp')],
  ] as const
  return (
    <Dialog title={t('keyboard')} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-3">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
