import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  required: 'Completa este campo.',
  not_url: 'Escribe una URL completa.',
  not_one_line: 'Escribe en una línea, sin caracteres invisibles.',
  not_email: 'Escribe un correo completo, como ana@example.com.',
  not_in_future: 'Elige una fecha futura.',
  too_short_one: 'Usa al menos {{count}} carácter.',
  too_short_other: 'Usa al menos {{count}} caracteres.',
  too_long_one: 'Usa como máximo {{count}} carácter.',
  too_long_other: 'Usa como máximo {{count}} caracteres.',
  too_small: 'Escribe {{minimum}} o más.',
  too_large: 'Escribe {{maximum}} o menos.',
}
