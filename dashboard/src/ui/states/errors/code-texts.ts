import type { Language } from '@hubline/locales/languages.ts'

type CodeText = Record<Exclude<Language, 'es'>, string>

/** What each error code of the hub means to a person in front of the dashboard. */
export const CODE_TEXTS: Readonly<Record<string, CodeText>> = {
  ADDON_NOT_ALLOWED: {
    en: 'This number of additional connections is not possible now.',
    'pt-BR': 'Este número de conexões adicionais não é possível agora.',
  },
  BILLING_OFF: {
    en: 'Billing is off in this installation: there are no limits and nothing to buy.',
    'pt-BR': 'A cobrança está desligada nesta instalação: não há limites nem nada a contratar.',
  },
  CHANNEL_NOT_CONNECTED: {
    en: 'The channel is not connected. Connect it with a new link.',
    'pt-BR': 'O canal não está conectado. Conecte-o com um novo link.',
  },
  CHECKOUT_NOT_ALLOWED: {
    en: 'This plan cannot be chosen now.',
    'pt-BR': 'Este plano não pode ser escolhido agora.',
  },
  CONFLICT: {
    en: 'This is not possible as things are now.',
    'pt-BR': 'Isto não é possível na situação atual.',
  },
  CONNECT_LINK_EXPIRED: {
    en: 'This link has expired. Ask for a new one.',
    'pt-BR': 'Este link expirou. Peça um novo.',
  },
  CONNECT_LINK_USED: {
    en: 'This link was used already. Ask for a new one.',
    'pt-BR': 'Este link já foi usado. Peça um novo.',
  },
  HEADERS_TOO_LARGE: {
    en: 'The address or the cookies of the request are too long. Remove some filters and try again.',
    'pt-BR': 'O endereço ou os cookies da requisição são longos demais. Retire alguns filtros e tente de novo.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    en: 'The same key was used for another request. Load the page again and repeat the action.',
    'pt-BR': 'A mesma chave foi usada em outra requisição. Recarregue a página e repita a ação.',
  },
  INSUFFICIENT_SCOPE: {
    en: 'Your role does not allow this.',
    'pt-BR': 'Seu papel não permite isto.',
  },
  INTERNAL_ERROR: {
    en: 'The hub had a fault. Try again; if it stays, send the request id to support.',
    'pt-BR': 'O hub teve uma falha. Tente de novo; se continuar, envie o id da requisição ao suporte.',
  },
  INVALID_MEDIA: {
    en: 'WhatsApp does not take files of this type.',
    'pt-BR': 'O WhatsApp não aceita arquivos deste tipo.',
  },
  INVALID_REQUEST: {
    en: 'The hub does not accept this entry.',
    'pt-BR': 'O hub não aceita estes dados.',
  },
  INVALID_TEMPLATE_ID: {
    en: 'The id of a template has digits only.',
    'pt-BR': 'O id de um modelo tem só dígitos.',
  },
  INVALID_WEBHOOK: {
    en: 'Choose all channels, or at least one.',
    'pt-BR': 'Escolha todos os canais, ou pelo menos um.',
  },
  MEDIA_TOO_LARGE: {
    en: 'The file is larger than WhatsApp allows for its type.',
    'pt-BR': 'O arquivo é maior do que o WhatsApp permite para o tipo.',
  },
  NOT_FOUND: {
    en: 'It is not there, or no longer.',
    'pt-BR': 'Não existe, ou não existe mais.',
  },
  NOT_READY: {
    en: 'The hub is starting or stopping. Try again in a moment.',
    'pt-BR': 'O hub está iniciando ou parando. Tente de novo em instantes.',
  },
  NUMBER_ALREADY_CONNECTED: {
    en: 'This number is already connected to another channel.',
    'pt-BR': 'Este número já está conectado a outro canal.',
  },
  OPERATION_IN_PROGRESS: {
    en: 'The same is under way already. Wait until it has ended.',
    'pt-BR': 'Isto já está em andamento. Espere terminar.',
  },
  ORIGIN_NOT_ALLOWED: {
    en: 'The dashboard was opened at another address than the one of this hub. Open it at its own address.',
    'pt-BR': 'O painel foi aberto em um endereço que não é o deste hub. Abra-o no endereço dele.',
  },
  OVERLOADED: {
    en: 'The hub has too much to do right now. Try again in a moment.',
    'pt-BR': 'O hub está sobrecarregado. Tente de novo em instantes.',
  },
  PAYLOAD_TOO_LARGE: {
    en: 'This is more than the hub takes at once.',
    'pt-BR': 'Isto é mais do que o hub aceita de uma vez.',
  },
  QUOTA_EXCEEDED: {
    en: 'The limit is reached.',
    'pt-BR': 'O limite foi atingido.',
  },
  RANGE_NOT_SATISFIABLE: {
    en: 'The file is shorter than what was asked for.',
    'pt-BR': 'O arquivo é menor do que o trecho pedido.',
  },
  RATE_LIMITED: {
    en: 'Too many requests. Wait a moment and try again.',
    'pt-BR': 'Requisições demais. Espere um momento e tente de novo.',
  },
  REQUEST_TIMEOUT: {
    en: 'The request took too long. Check the connection and try again.',
    'pt-BR': 'A requisição demorou demais. Verifique a conexão e tente de novo.',
  },
  SEND_RESULT_UNKNOWN: {
    en: 'It is not known whether the message was sent. Look for it in the message log before you send it again.',
    'pt-BR': 'Não se sabe se a mensagem foi enviada. Procure-a no registro de mensagens antes de enviar de novo.',
  },
  SUBSCRIPTION_SUSPENDED: {
    en: 'The subscription is suspended: pay the open invoice to send messages and create channels again.',
    'pt-BR': 'A assinatura está suspensa: pague a fatura em aberto para voltar a enviar mensagens e criar canais.',
  },
  TWO_FACTOR_REQUIRED: {
    en: 'The organization requires two-factor sign-in. Turn it on in your account, or switch to another organization.',
    'pt-BR': 'A organização exige a verificação em duas etapas. Ative-a na sua conta, ou troque de organização.',
  },
  TEMPLATE_NOT_SENDABLE: {
    en: 'WhatsApp has paused, disabled or rejected this template. Send another one, or wait until it is approved again.',
    'pt-BR':
      'O WhatsApp pausou, desativou ou rejeitou este modelo. Envie outro, ou espere até que seja aprovado de novo.',
  },
  UNAUTHORIZED: {
    en: 'The session has ended. Sign in again.',
    'pt-BR': 'A sessão terminou. Entre de novo.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    en: 'The hub does not take this kind of content here.',
    'pt-BR': 'O hub não aceita este tipo de conteúdo aqui.',
  },
  UPSTREAM_REJECTED: {
    en: 'WhatsApp refused the request.',
    'pt-BR': 'O WhatsApp recusou o pedido.',
  },
  UPSTREAM_UNAVAILABLE: {
    en: 'The service behind the hub does not answer. Try again in a moment.',
    'pt-BR': 'O serviço por trás do hub não responde. Tente de novo em instantes.',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    en: 'The hub does not deliver to this address.',
    'pt-BR': 'O hub não entrega neste endereço.',
  },
}

/** Codes that stand for several causes: what the hub says of the one is shown beside the text of the code. */
export const CODES_WITH_REASON: readonly string[] = [
  'ADDON_NOT_ALLOWED',
  'CHECKOUT_NOT_ALLOWED',
  'CONFLICT',
  'INSUFFICIENT_SCOPE',
  'INVALID_REQUEST',
  'INVALID_WEBHOOK',
  'NOT_FOUND',
  'QUOTA_EXCEEDED',
  'UPSTREAM_REJECTED',
  'WEBHOOK_URL_NOT_ALLOWED',
]
