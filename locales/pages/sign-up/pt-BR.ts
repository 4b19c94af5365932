import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Termine de criar sua conta',
  intro: 'Sua conta e a organização {{organization}} serão criadas quando você digitar a senha.',
  email: 'E-mail',
  password: 'Senha',
  passwordHint: 'A que você escolheu para esta conta',
  create: 'Criar a conta',
  wrongPassword: 'Esta não é a senha que foi escolhida. Se não foi você quem pediu a conta, feche esta página.',
  done: ['Sua conta está pronta', 'Seu e-mail foi confirmado, e você já entrou.'],
  toDashboard: 'Abrir o painel',
  signUpAgain: 'Criar a conta de novo',
  signIn: 'Entrar',
  errors: {
    NOT_FOUND: [
      'Este link não vale mais',
      'Ele foi usado, expirou, ou o endereço está incompleto. Se você tem uma conta, entre.',
    ],
  },
}
