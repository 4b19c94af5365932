import type { Language } from '../../../../kernel/pages/language.ts'
import type { ErrorNotices, Notice } from '../../../../kernel/pages/notices.ts'

type Translation = {
  title: string
  intro: (organization: string) => string
  email: string
  password: string
  passwordHint: string
  create: string
  wrongPassword: string
  done: Notice
  toDashboard: string
  signUpAgain: string
  signIn: string
  errors: ErrorNotices
}

export const TRANSLATIONS: Record<Language, Translation> = {
  en: {
    title: 'Finish creating your account',
    intro: (organization) =>
      `Your account and the organization ${organization} are created when you enter the password.`,
    email: 'E-mail',
    password: 'Password',
    passwordHint: 'The one that you chose for this account',
    create: 'Create the account',
    wrongPassword: 'This is not the password that was chosen. If you did not sign up yourself, close this page.',
    done: ['Your account is ready', 'Your e-mail is verified, and you are signed in.'],
    toDashboard: 'Open the dashboard',
    signUpAgain: 'Sign up again',
    signIn: 'Sign in',
    errors: {
      NOT_FOUND: [
        'This link no longer works',
        'It was used, has expired, or the address is not complete. If you have an account, sign in.',
      ],
    },
  },
  'pt-BR': {
    title: 'Termine de criar sua conta',
    intro: (organization) => `Sua conta e a organização ${organization} são criadas quando você digitar a senha.`,
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
        'Este link já não vale',
        'Ele foi usado, expirou, ou o endereço está incompleto. Se você tem uma conta, entre.',
      ],
    },
  },
}
