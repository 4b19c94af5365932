import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  forgotTitle: 'Esqueceu sua senha?',
  forgotText: 'Digite o e-mail da sua conta. Você recebe um link para definir uma nova senha.',
  noMail: 'Esta instalação não envia e-mails. Peça a quem a opera que execute este comando com o seu e-mail:',
  email: 'E-mail',
  send: 'Enviar o link',
  sent: [
    'Confira seu e-mail',
    'Se este e-mail tem uma conta, um link está a caminho. Ele funciona uma única vez, por uma hora. Olhe também no spam.',
  ],
  invalidEmail: 'Digite um e-mail completo, como ana@example.com.',
  resetTitle: 'Defina uma nova senha',
  newPassword: 'Nova senha',
  length: 'Pelo menos {{min}} caracteres',
  repeat: 'Repita a nova senha',
  save: 'Salvar a senha',
  common: 'Esta senha está entre as primeiras que atacantes tentam. Escolha outra, como uma frase.',
  wrongLength: 'Escolha uma senha de {{min}} a {{max}} caracteres.',
  mismatch: 'As duas senhas são diferentes. Digite-as de novo.',
  done: [
    'Sua senha foi alterada',
    'Todas as suas sessões foram encerradas. Entre com a nova senha e, se você a ativou, com a verificação em duas etapas.',
  ],
  signIn: 'Entrar',
  requestAnother: 'Pedir outro link',
  errors: {
    NOT_FOUND: ['Nada aqui', 'Este link não existe. Confira se você abriu o endereço inteiro.'],
    CONNECT_LINK_USED: ['Este link já foi usado', 'Ele funciona uma única vez. Se não foi você, peça outro agora.'],
    CONNECT_LINK_EXPIRED: [
      'Este link não vale mais',
      'Ele vale por uma hora, e só até que outro seja pedido ou a senha seja alterada.',
    ],
  },
}
