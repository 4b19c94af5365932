import { createStore } from '../../lib/store.ts'
import { Icon } from '../icon.tsx'

type Toast = { id: number; text: string }

const SHOWN_MS = 3000
const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Feedback that may be missed. Never a secret, never the only sight of an error. */
export function showToast(text: string): void {
  lastId += 1
  const toast = { id: lastId, text }
  toasts.set([...toasts.get(), toast])
  setTimeout(() => toasts.set(toasts.get().filter(({ id }) => id !== toast.id)), SHOWN_MS)
}

export function Toasts() {
  const shown = toasts.use()
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-6 z-60 flex flex-col items-center gap-2 max-tablet:bottom-24"
    >
      {shown.map(({ id, text }) => (
        <p
          key={id}
          className="enter flex items-center gap-2 rounded-full bg-text px-4 py-2 font-medium text-surface shadow-2"
        >
          <Icon name="check" size={14} />
          {text}
        </p>
      ))}
    </div>
  )
}
