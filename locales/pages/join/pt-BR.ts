import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Aceite o convite',
  intro: 'Você recebeu um convite para participar de {{organization}} com o papel {{role}}.',
  email: 'E-mail',
  name: 'Seu nome',
  nameHint: 'Se você já tem uma conta, o nome dela não muda',
  password: 'Senha',
  passwordHint:
    'Se você tem uma conta com este e-mail, a senha dela. Se não, escolha uma de pelo menos {{min}} caracteres.',
  code: 'Código do seu aplicativo autenticador',
  codeHint: 'Ou um dos seus códigos de recuperação',
  join: 'Participar',
  problems: {
    nameRequired: 'Digite seu nome, de até 100 caracteres, e a senha de novo.',
    common: 'Esta senha está entre as primeiras que atacantes tentam. Escolha outra, como uma frase.',
    wrongLength: 'A senha tem de {{min}} a {{max}} caracteres. Digite-a de novo.',
    wrongPassword: 'Esta não é a senha da sua conta. Digite-a de novo.',
    codeRequired: 'Sua conta tem verificação em duas etapas. Digite a senha de novo e um código.',
    wrongCode: 'O código está errado. Digite a senha de novo e o código atual.',
  },
  forgot: 'Esqueceu sua senha?',
  joined: ['Você agora participa de {{organization}}', 'Você já entrou.'],
  toDashboard: 'Abrir o painel',
  errors: {
    NOT_FOUND: [
      'Este convite não vale mais',
      'Ele foi usado ou cancelado, expirou, ou o endereço está incompleto. Peça um novo.',
    ],
  },
}
