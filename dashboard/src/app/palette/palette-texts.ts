import { defineTexts } from '../../lib/texts.ts'

export const usePaletteTexts = defineTexts(
  'palette',
  {
    in: 'in {{name}}',
    move: 'move',
    nothing: 'Nothing has this name.',
    open: 'open',
    pages: 'Pages',
    paste: 'Paste any id, wamid or request id to jump to it',
    placeholder: 'Search or jump to',
    title: 'Search or jump to',
  },
  {
    in: 'em {{name}}',
    move: 'mover',
    nothing: 'Nada tem este nome.',
    open: 'abrir',
    pages: 'Páginas',
    paste: 'Cole um id, wamid ou id de requisição para ir até ele',
    placeholder: 'Buscar ou ir para',
    title: 'Buscar ou ir para',
  },
)
