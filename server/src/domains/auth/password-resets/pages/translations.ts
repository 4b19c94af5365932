import type { Language } from '../../../../kernel/pages/language.ts'
import type { ErrorNotices, Notice } from '../../../../kernel/pages/notices.ts'
import { PASSWORD_LENGTH } from '../../users/passwords.ts'

const { min, max } = PASSWORD_LENGTH

type Translation = {
  forgotTitle: string
  forgotText: string
  noMail: string
  email: string
  send: string
  sent: Notice
  invalidEmail: string
  resetTitle: string
  newPassword: string
  length: string
  repeat: string
  save: string
  wrongLength: string
  mismatch: string
  done: Notice
  signIn: string
  requestAnother: string
  errors: ErrorNotices
}

export const TRANSLATIONS: Record<Language, Translation> = {
  en: {
    forgotTitle: 'Forgot your password?',
    forgotText: 'Enter the e-mail of your account. You get a link with which you set a new password.',
    noMail: 'This installation sends no mail. Ask the person who operates it to run this command with your e-mail:',
    email: 'E-mail',
    send: 'Send the link',
    sent: [
      'Check your mail',
      'If this e-mail has an account, a link is on its way. It works once, for one hour. Look into the spam folder too.',
    ],
    invalidEmail: 'Enter a whole e-mail address, such as ana@example.com.',
    resetTitle: 'Set a new password',
    newPassword: 'New password',
    length: `At least ${min} characters`,
    repeat: 'New password again',
    save: 'Save the password',
    wrongLength: `Choose a password of ${min} to ${max} characters.`,
    mismatch: 'The two passwords differ. Type them again.',
    done: [
      'Your password was changed',
      'You are signed out everywhere. Sign in with the new password and, if you have set one up, your second factor.',
    ],
    signIn: 'Sign in',
    requestAnother: 'Request another link',
    errors: {
      NOT_FOUND: ['Nothing here', 'There is no such link. Check that you opened the whole address.'],
      CONNECT_LINK_USED: [
        'This link was used already',
        'It works once. If it was not you who used it, request another now.',
      ],
      CONNECT_LINK_EXPIRED: [
        'This link no longer works',
        'It is valid for one hour, and only until a newer one is requested or the password is changed.',
      ],
    },
  },
  'pt-BR': {
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
    length: `Pelo menos ${min} caracteres`,
    repeat: 'Nova senha, outra vez',
    save: 'Salvar a senha',
    wrongLength: `Escolha uma senha de ${min} a ${max} caracteres.`,
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
        'Este link já não vale',
        'Ele vale por uma hora, e só até que outro seja pedido ou a senha seja alterada.',
      ],
    },
  },
}
