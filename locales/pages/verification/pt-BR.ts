import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
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
      'Este link não vale mais',
      'Ele foi usado, expirou, foi trocado por outro mais novo, ou o endereço está incompleto. Peça um novo na sua conta.',
    ],
  },
}
