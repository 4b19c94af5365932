import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  link: 'Link de conexão',
  linkText: 'Um link funciona uma vez. Quem abre não precisa de conta aqui, só do número e do acesso ao Facebook.',
  linkAgain: 'Um link pode reconectar este canal. O número deve ser o mesmo, a não ser que tenha sido desconectado.',
  linkOnce: 'O link aparece quando é criado e não pode ser visto de novo.',
  create: 'Criar um link',
  createAgain: 'Criar um novo link',
  endsOlder: 'Encerra os links anteriores deste canal.',
  simulated: 'Número simulado',
  simulatedText: 'Este hub usa um simulador. Conecte o canal a um número simulado agora mesmo, sem link.',
  simulate: 'Conectar um número simulado',
  own: 'Conectar com um token seu',
  ownText: 'Para um número cujo token de acesso você já tem, por exemplo de um usuário do sistema. Dispensa a página.',
  token: 'Token de acesso',
  tokenHint: 'Precisa de whatsapp_business_management e whatsapp_business_messaging. Fica cifrado e nunca é exibido.',
  waba: 'waba_id',
  wabaHint: 'A conta do WhatsApp Business, só dígitos.',
  numberId: 'phone_number_id',
  numberIdHint: 'O id do número nessa conta, só dígitos.',
  coexistence: 'O número continua no app WhatsApp Business',
  coexistenceHint: 'Nesse caso ele não é registrado de novo e não precisa de PIN.',
  pin: 'PIN',
  pinHint:
    'Seis dígitos. Se o número tem verificação em duas etapas, o PIN dele; se não tem, o que ele passará a ter. Não é guardado.',
  pinNeeded: 'Este número precisa do PIN para ser registrado.',
  connect: 'Conectar',
  connected: 'O número está conectado',
}
