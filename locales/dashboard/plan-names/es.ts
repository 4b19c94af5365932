import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  free: 'Gratis',
  starter: 'Starter',
  pro: 'Pro',
}
