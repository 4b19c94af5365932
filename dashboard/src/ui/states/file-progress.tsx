import { formatBytes } from '../../lib/format.ts'
import { Icon } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'

type FileProgressProps = { isDone: boolean; lines: number; bytes: number }

/** The progress of loading a file. */
export function FileProgress({ isDone, lines, bytes }: FileProgressProps) {
  const t = useUiTexts()
  return (
    <p role="status" className="flex items-center gap-2">
      <Icon name={isDone ? 'ring-tick' : 'arc'} className={isDone ? 'text-ok' : 'turning'} />
      <span>
        {isDone ? t('fileDone') : t('fileRunning')}{' '}
        <span className="text-text-3">{t('fileProgress', { count: lines, size: formatBytes(bytes) })}</span>
      </span>
    </p>
  )
}
