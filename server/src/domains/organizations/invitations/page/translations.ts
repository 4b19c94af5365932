import type { Language } from '../../../../kernel/pages/language.ts'
import type { ErrorNotices, Notice } from '../../../../kernel/pages/notices.ts'
import type { Role } from '../../../auth/scopes.ts'
import { PASSWORD_LENGTH } from '../../../auth/users/passwords.ts'

const { min, max } = PASSWORD_LENGTH

export type JoinProblem = 'nameRequired' | 'wrongLength' | 'wrongPassword' | 'codeRequired' | 'wrongCode'

type Translation = {
  title: string
  intro: (organization: string, role: string) => string
  roles: Record<Role, string>
  email: string
  name: string
  nameHint: string
  password: string
  passwordHint: string
  code: string
  codeHint: string
  join: string
  problems: Record<JoinProblem, string>
  forgot: string
  joined: (organization: string) => Notice
  toDashboard: string
  errors: ErrorNotices
}

export const TRANSLATIONS: Record<Language, Translation> = {
  en: {
    title: 'Accept the invitation',
    intro: (organization, role) => `You are invited to join ${organization} with the role ${role}.`,
    roles: { owner: 'Owner', admin: 'Admin', developer: 'Developer', viewer: 'Viewer' },
    email: 'E-mail',
    name: 'Your name',
    nameHint: 'An account that you have already keeps its name',
    password: 'Password',
    passwordHint: `If you have an account with this e-mail, its password. If not, choose one of at least ${min} characters.`,
    code: 'Code of your authenticator app',
    codeHint: 'Or one of your recovery codes',
    join: 'Join',
    problems: {
      nameRequired: 'Enter your name, of up to 100 characters, and the password again.',
      wrongLength: `The password has ${min} to ${max} characters. Type it again.`,
      wrongPassword: 'This is not the password of your account. Type it again.',
      codeRequired: 'Your account has a second factor. Enter the password again, and a code.',
      wrongCode: 'The code is wrong. Enter the password again, and the current code.',
    },
    forgot: 'Forgot your password?',
    joined: (organization) => [`You have joined ${organization}`, 'You are signed in.'],
    toDashboard: 'Open the dashboard',
    errors: {
      NOT_FOUND: [
        'This invitation no longer works',
        'It was used or revoked, has expired, or the address is not complete. Ask for a new one.',
      ],
    },
  },
  'pt-BR': {
    title: 'Aceite o convite',
    intro: (organization, role) => `Você recebeu um convite para participar de ${organization} com o papel ${role}.`,
    roles: { owner: 'Titular', admin: 'Administração', developer: 'Desenvolvimento', viewer: 'Leitura' },
    email: 'E-mail',
    name: 'Seu nome',
    nameHint: 'Uma conta que você já tem mantém o nome dela',
    password: 'Senha',
    passwordHint: `Se você tem uma conta com este e-mail, a senha dela. Se não, escolha uma de pelo menos ${min} caracteres.`,
    code: 'Código do seu aplicativo autenticador',
    codeHint: 'Ou um dos seus códigos de recuperação',
    join: 'Participar',
    problems: {
      nameRequired: 'Digite seu nome, de até 100 caracteres, e a senha de novo.',
      wrongLength: `A senha tem de ${min} a ${max} caracteres. Digite-a de novo.`,
      wrongPassword: 'Esta não é a senha da sua conta. Digite-a de novo.',
      codeRequired: 'Sua conta tem verificação em duas etapas. Digite a senha de novo e um código.',
      wrongCode: 'O código está errado. Digite a senha de novo e o código atual.',
    },
    forgot: 'Esqueceu sua senha?',
    joined: (organization) => [`Você agora participa de ${organization}`, 'Você já entrou.'],
    toDashboard: 'Abrir o painel',
    errors: {
      NOT_FOUND: [
        'Este convite já não vale',
        'Ele foi usado ou cancelado, expirou, ou o endereço está incompleto. Peça um novo.',
      ],
    },
  },
}
