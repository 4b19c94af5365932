import type { Role } from '../../domains/auth/scopes.ts'

export const ORGANIZATION = 'Agência Sol'
export const OWNER = { name: 'Ana Ribeiro', email: 'ana@agenciasol.example' }

/** They join by invitation. The domain is one that nobody can have. */
export const COLLEAGUES: readonly { name: string; email: string; role: Role }[] = [
  { name: 'Bruno Teixeira', email: 'bruno@agenciasol.example', role: 'admin' },
  { name: 'Carla Mendes', email: 'carla@agenciasol.example', role: 'developer' },
  { name: 'Diego Alves', email: 'diego@agenciasol.example', role: 'developer' },
  { name: 'Elisa Prado', email: 'elisa@agenciasol.example', role: 'viewer' },
]
export const INVITED = { email: 'fernanda@agenciasol.example', role: 'viewer' } satisfies { email: string; role: Role }

/** The customers of a shop ask these, and it answers. */
type Exchange = readonly [question: string, answer: string]
export type Shop = {
  name: string
  externalId: string
  /** The share of all conversations. */
  weight: number
  exchanges: readonly Exchange[]
  /** The buttons of an offer, of which a customer taps one. */
  offer: { text: string; choices: readonly string[]; confirmation: string }
  /** The utility template that tells of an order, and the marketing template of a campaign. */
  notice: { name: string; text: string; example: readonly string[] }
  campaign: { name: string; text: string }
}

export const SHOPS: readonly Shop[] = [
  {
    name: 'Padaria São João',
    externalId: 'cliente-101',
    weight: 4,
    exchanges: [
      ['Oi! Que horas sai o pão francês à tarde?', 'Olá! A próxima fornada sai às 16h. Quer que eu separe?'],
      ['Vocês entregam no centro?', 'Entregamos sim, a taxa é R$ 6,00 e leva uns 30 minutos.'],
      ['Quanto é o bolo de cenoura inteiro?', 'O inteiro sai por R$ 48,00 e serve dez pessoas.'],
      ['Tem pão sem glúten hoje?', 'Hoje temos o de mandioca. Guardo um para você?'],
      ['Posso retirar às 18h?', 'Pode, estamos abertos até as 20h.'],
      ['Aceitam vale-refeição?', 'Aceitamos todos, é só trazer o cartão.'],
    ],
    offer: {
      text: 'Seu pedido: 10 pães franceses e 1 bolo de fubá. Como você prefere receber?',
      choices: ['Entrega', 'Retirar na loja', 'Cancelar'],
      confirmation: 'Combinado! Avisamos por aqui quando estiver pronto.',
    },
    notice: {
      name: 'pedido_pronto',
      text: 'Olá {{1}}, seu pedido {{2}} está pronto. Obrigado pela preferência!',
      example: ['Mariana', '1042'],
    },
    campaign: {
      name: 'cafe_da_manha',
      text: 'Bom dia! Neste sábado o café da manhã completo sai por R$ 29,90 para duas pessoas.',
    },
  },
  {
    name: 'Pet Shop Patinhas',
    externalId: 'cliente-102',
    weight: 3,
    exchanges: [
      ['Vocês têm horário para banho amanhã?', 'Temos às 10h e às 15h. Qual fica melhor?'],
      ['Quanto custa a tosa de um poodle?', 'A tosa completa do poodle é R$ 85,00, com banho incluído.'],
      ['A ração de 15 kg chegou?', 'Chegou hoje de manhã. Posso enviar ainda hoje.'],
      [
        'Meu cachorro está coçando muito, vocês indicam algo?',
        'O ideal é passar pela veterinária, que atende até as 18h.',
      ],
      ['Posso deixar o gato no sábado?', 'Pode sim, traga a carteirinha de vacinação.'],
    ],
    offer: {
      text: 'O banho do Thor está marcado para amanhã às 15h. Confirma?',
      choices: ['Confirmo', 'Outro horário', 'Cancelar'],
      confirmation: 'Perfeito, esperamos vocês!',
    },
    notice: {
      name: 'banho_terminado',
      text: 'Olá {{1}}, o banho terminou e {{2}} já pode ir para casa. Até logo!',
      example: ['Rafael', 'Thor'],
    },
    campaign: {
      name: 'semana_do_gato',
      text: 'Na semana do gato, toda a linha felina está com 15% de desconto na loja e na entrega.',
    },
  },
  {
    name: 'Clínica Sorriso',
    externalId: 'cliente-103',
    weight: 2,
    exchanges: [
      ['Bom dia, gostaria de marcar uma limpeza.', 'Bom dia! Temos quinta às 9h ou sexta às 14h.'],
      ['Vocês atendem pelo convênio?', 'Atendemos vários convênios. Qual é o seu?'],
      ['Preciso remarcar a consulta de amanhã.', 'Sem problema. Prefere de manhã ou à tarde?'],
      ['O clareamento dói?', 'Pode haver um pouco de sensibilidade, que passa em um ou dois dias.'],
    ],
    offer: {
      text: 'Sua consulta é amanhã às 9h com a Dra. Paula. Você confirma a presença?',
      choices: ['Confirmo', 'Remarcar'],
      confirmation: 'Obrigada! Chegue dez minutos antes, por favor.',
    },
    notice: {
      name: 'lembrete_consulta',
      text: 'Olá {{1}}, lembramos da sua consulta em {{2}}. Responda se precisar remarcar.',
      example: ['Juliana', '12 de março'],
    },
    campaign: {
      name: 'avaliacao_gratis',
      text: 'Em março a avaliação com a nossa equipe não custa nada. Responda para escolher um horário.',
    },
  },
  {
    name: 'Livraria Aurora',
    externalId: 'cliente-104',
    weight: 1,
    exchanges: [
      ['Vocês têm Grande Sertão: Veredas?', 'Temos duas edições, a partir de R$ 62,00.'],
      ['Meu livro já chegou?', 'Chegou ontem! Está guardado no balcão com o seu nome.'],
      ['Fazem embrulho para presente?', 'Fazemos, sem custo.'],
    ],
    offer: {
      text: 'O clube do livro se encontra na quinta às 19h. Guardamos um lugar?',
      choices: ['Quero ir', 'Desta vez não'],
      confirmation: 'Anotado. Até quinta!',
    },
    notice: {
      name: 'livro_chegou',
      text: 'Olá {{1}}, o livro {{2}} chegou e espera por você no balcão até sábado.',
      example: ['Beatriz', 'Torto Arado'],
    },
    campaign: {
      name: 'clube_do_livro',
      text: 'O clube do livro deste mês lê Clarice Lispector. Responda e guardamos o seu lugar.',
    },
  },
]

/** A shop that has not connected its number yet. */
export const NEW_SHOP = { name: 'Ótica Visão Clara', externalId: 'cliente-105' }

const FIRST_NAMES =
  'Mariana Rafael Juliana Beatriz Lucas Camila Thiago Larissa Pedro Fernanda Gustavo Aline Rodrigo Patrícia André Vanessa Felipe Renata Marcelo Débora Eduardo Tatiane João Sônia Caio Luana Vitor Simone Igor Cláudia'.split(
    ' ',
  )
const LAST_NAMES =
  'Souza Oliveira Santos Lima Pereira Costa Almeida Ferreira Rocha Carvalho Gomes Martins Araújo Barbosa Ribeiro Nascimento Moreira Cardoso Teles Freitas'.split(
    ' ',
  )

export type Person = { phone: string; name: string; firstName: string }

/** The nth customer. No two of the first sixty have a name in common. */
export function buildPerson(index: number): Person {
  const firstName = FIRST_NAMES[index % FIRST_NAMES.length] ?? ''
  const lastName = LAST_NAMES[(index * 7) % LAST_NAMES.length] ?? ''
  return { phone: `55119${88_110_000 + index * 137}`, name: `${firstName} ${lastName}`, firstName }
}

/** Customers send these besides text. */
export const FILES = [
  { type: 'image', image: { caption: 'Seria um igual a este' } },
  { type: 'audio', audio: { voice: true } },
  { type: 'document', document: { filename: 'comprovante.pdf' } },
] as const
export const PLACE = {
  type: 'location',
  location: { latitude: -23.5614, longitude: -46.6559, name: 'Casa', address: 'Av. Paulista, São Paulo' },
} as const
