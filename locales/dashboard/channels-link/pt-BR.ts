import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Link de conexão',
  badge: 'Público, funciona uma vez',
  text: 'Envie a quem tem o número. Não é preciso ter conta no Hubline.',
  copy: 'Copiar o link',
  email: 'E-mail',
  ended: 'Expirado ou substituído.',
  endedText: 'Crie um link novo abaixo.',
  expiresIn: 'expira em',
  message: 'Mensagem para enviar junto',
  open: 'Sem uso.',
  openText: 'Esta linha muda sozinha quando o número for conectado.',
  preview: 'Ver a página',
  qr: 'O link de conexão como código para a câmera',
  subject: 'Conecte seu número de WhatsApp',
  used: 'Usado.',
  usedText: 'O número está conectado.',
  whatsapp: 'WhatsApp',
  next: 'O que acontece agora',
  stepLink: 'Link criado',
  stepLinkText: 'Envie a quem tem o número',
  stepNumber: 'Número conectado',
  stepNumberText: 'Com o Facebook e um código',
  stepEvents: 'Eventos chegam',
  stepEventsText: 'channel.connected é enviado',
}
