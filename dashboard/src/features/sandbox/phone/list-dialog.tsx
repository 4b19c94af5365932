import type { ChatMessage } from '@hubline/sdk/console'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

type ListDialogProps = {
  list: NonNullable<ChatMessage['list']>
  onChoose: (id: string) => void
  onClose: () => void
}

/** The rows of a list message, of which the customer taps one. */
export function ListDialog({ list, onChoose, onClose }: ListDialogProps) {
  return (
    <Dialog title={list.button} onClose={onClose}>
      {list.sections.map(({ title, rows }, position) => (
        <section key={position} className="mb-4 last:mb-0">
          {title !== null && <h3 className="mb-1 text-meta font-medium text-text-3">{title}</h3>}
          {rows.map((row) => (
            <button
              key={row.id}
              type="button"
              onClick={() => onChoose(row.id)}
              className="flex min-h-11 w-full flex-col justify-center border-b border-line px-2 py-2 text-left last:border-b-0 hover:bg-hover"
            >
              <span className="font-medium text-text">{row.title}</span>
              {row.description !== null && <span className="text-meta text-text-2">{row.description}</span>}
            </button>
          ))}
        </section>
      ))}
    </Dialog>
  )
}
