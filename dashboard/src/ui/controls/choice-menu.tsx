import { Icon, type IconName } from '../icon.tsx'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'

type ChoiceMenuProps = {
  icon: IconName
  /** The text for all choices together. */
  all: string
  choices: readonly { id: string; name: string }[]
  /** Undefined for all. */
  chosenId: string | undefined
  onChoose: (id: string | undefined) => void
}

/** Chooses the thing that a page is about: one of several, or all of them. */
export function ChoiceMenu({ icon, all, choices, chosenId, onChoose }: ChoiceMenuProps) {
  const chosen = choices.find(({ id }) => id === chosenId)
  return (
    <Menu
      align="end"
      trigger={
        <Button size="bar" icon={icon}>
          <span className="max-w-48 truncate">{chosen?.name ?? all}</span>
          <Icon name="chevron-down" size={12} className="text-text-3" />
        </Button>
      }
      items={[
        { label: all, isChecked: chosenId === undefined, onSelect: () => onChoose(undefined) },
        ...choices.map(({ id, name }) => ({ label: name, isChecked: id === chosenId, onSelect: () => onChoose(id) })),
      ]}
    />
  )
}
