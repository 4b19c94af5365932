import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../icon.tsx'
import { MENU_ITEM, MenuContent } from './filters.tsx'

export type MenuItem = {
  label: ReactNode
  icon?: IconName
  isDanger?: boolean
  isChecked?: boolean
  isDisabled?: boolean
  onSelect: () => void
}

/** A menu below its trigger. An item that is ticked is one of several states. */
export function Menu({
  trigger,
  items,
  align,
}: {
  trigger: ReactNode
  items: readonly MenuItem[]
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <MenuContent {...(align && { align })}>
        {items.map((item, position) => (
          <DropdownMenu.Item
            key={position}
            {...(item.isChecked !== undefined && { role: 'menuitemradio', 'aria-checked': item.isChecked })}
            disabled={item.isDisabled ?? false}
            onSelect={item.onSelect}
            className={cx(MENU_ITEM, item.isDanger && 'text-danger!')}
          >
            {item.icon && <Icon name={item.icon} size={14} />}
            <span className="flex-1">{item.label}</span>
            {item.isChecked && <Icon name="check" size={14} className="text-accent" />}
          </DropdownMenu.Item>
        ))}
      </MenuContent>
    </DropdownMenu.Root>
  )
}
