import type { Language } from '../../../../kernel/pages/language.ts'
import type { ErrorNotices, Notice } from '../../../../kernel/pages/notices.ts'

type Translation = {
  title: string
  intro: string
  email: string
  password: string
  verify: string
  wrongPassword: string
  notMine: string
  done: Notice
  toDashboard: string
  errors: ErrorNotices
}

export const TRANSLATIONS: Record<Language, Translation> = {
  en: {
    title: 'Verify your e-mail',
    intro: 'Enter the password of your account to confirm that this address is yours.',
    email: 'E-mail',
    password: 'Password',
    verify: 'Verify the e-mail',
    wrongPassword: 'This is not the password of the account. Type it again.',
    notMine: 'You did not create this account? Set a new password, and it is yours',
    done: ['Your e-mail is verified', 'You can now set up two-factor sign-in in your account.'],
    toDashboard: 'Open the dashboard',
    errors: {
      NOT_FOUND: [
        'This link no longer works',
        'It was used, has expired, a newer one replaced it, or the address is not complete. Request a new one in your account.',
      ],
    },
  },
  'pt-BR': {
    title: 'Confirme seu e-mail',
    intro: 'Digite a senha da sua conta para confirmar que este endereço é seu.',
    email: 'E-mail',
    password: 'Senha',
    verify: 'Confirmar o e-mail',
    wrongPassword: 'Esta não é a senha da conta. Digite-a de novo.',
    notMine: 'Não foi você quem criou esta conta? Defina uma nova senha, e ela passa a ser sua',
    done: ['Seu e-mail foi confirmado', 'Você já pode ativar a verificação em duas etapas na sua conta.'],
    toDashboard: 'Abrir o painel',
    errors: {
      NOT_FOUND: [
        'Este link já não vale',
        'Ele foi usado, expirou, foi trocado por outro mais novo, ou o endereço está incompleto. Peça um novo na sua conta.',
      ],
    },
  },
}
