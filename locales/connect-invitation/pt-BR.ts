import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  text: 'Olá! Para ligar o WhatsApp de {{name}} ao nosso sistema, abra o link abaixo no computador ou no celular. Tenha à mão o acesso ao Facebook e o telefone do número. O link vale até {{day}} às {{clock}} e funciona uma única vez.',
}
