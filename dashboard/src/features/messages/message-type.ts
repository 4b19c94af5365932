import type { IconName } from '../../ui/icon.tsx'
import { useMessagesTexts } from './messages-texts.ts'
import { TYPES } from './search.ts'

const ICONS: Record<(typeof TYPES)[number], IconName> = {
  text: 'text',
  template: 'template',
  interactive: 'server',
  button: 'message',
  image: 'image',
  video: 'video',
  audio: 'mic',
  document: 'file',
  sticker: 'smile',
  location: 'pin',
  contacts: 'users',
  reaction: 'smile',
  order: 'card',
  system: 'settings',
  unsupported: 'help',
}

function findType(type: string): (typeof TYPES)[number] | undefined {
  return TYPES.find((one) => one === type)
}

export function chooseTypeIcon(type: string): IconName {
  const known = findType(type)
  return known === undefined ? 'message' : ICONS[known]
}

/** The type of a message in words; the upstream may add types that this page does not know. */
export function useTypeText(): (type: string) => string {
  const t = useMessagesTexts()
  return (type) => t(`type.${findType(type) ?? 'other'}`)
}
