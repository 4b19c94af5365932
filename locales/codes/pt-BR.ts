import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  ADDON_NOT_ALLOWED: 'Este número de conexões adicionais não é possível agora.',
  BILLING_OFF: 'A cobrança está desativada nesta instalação: não há limites nem nada a contratar.',
  CHANNEL_NOT_CONNECTED: 'O canal não está conectado. Conecte-o com um novo link.',
  CHECKOUT_NOT_ALLOWED: 'Este plano não pode ser escolhido agora.',
  CONFLICT: 'Isto não é possível na situação atual.',
  CONNECT_LINK_EXPIRED: 'Este link expirou. Peça um novo.',
  CONNECT_LINK_USED: 'Este link já foi usado. Peça um novo.',
  HEADERS_TOO_LARGE: 'O endereço ou os cookies da requisição são longos demais. Retire alguns filtros e tente de novo.',
  IDEMPOTENCY_KEY_REUSED: 'A mesma chave foi usada em outra requisição. Recarregue a página e repita a ação.',
  INSUFFICIENT_SCOPE: 'Seu papel não permite isto.',
  INTERNAL_ERROR: 'O hub teve uma falha. Tente de novo; se continuar, envie o id da requisição ao suporte.',
  INVALID_MEDIA: 'O WhatsApp não aceita arquivos deste tipo.',
  INVALID_REQUEST: 'O hub não aceita estes dados.',
  INVALID_TEMPLATE_ID: 'O id de um modelo tem só dígitos.',
  INVALID_WEBHOOK: 'Escolha todos os canais, ou pelo menos um.',
  MEDIA_TOO_LARGE: 'O arquivo é maior do que o WhatsApp permite para o tipo.',
  NOT_FOUND: 'Não existe, ou não existe mais.',
  NOT_READY: 'O hub está iniciando, parando ou em espera. Tente de novo mais tarde.',
  NUMBER_ALREADY_CONNECTED: 'Este número já está conectado a outro canal.',
  OPERATION_IN_PROGRESS: 'Isto já está em andamento. Espere terminar.',
  ORIGIN_NOT_ALLOWED: 'O painel foi aberto em um endereço que não é o deste hub. Abra-o no endereço dele.',
  OVERLOADED: 'O hub está sobrecarregado. Tente de novo em instantes.',
  PAYLOAD_TOO_LARGE: 'Isto é mais do que o hub aceita de uma vez.',
  QUOTA_EXCEEDED: 'O limite foi atingido.',
  RANGE_NOT_SATISFIABLE: 'O arquivo é menor do que o trecho pedido.',
  RATE_LIMITED: 'Requisições demais. Espere um momento e tente de novo.',
  REQUEST_TIMEOUT: 'A requisição demorou demais. Verifique a conexão e tente de novo.',
  SEND_RESULT_UNKNOWN:
    'Não se sabe se a mensagem foi enviada. Procure-a no registro de mensagens antes de enviar de novo.',
  SUBSCRIPTION_SUSPENDED:
    'A assinatura está suspensa: pague a fatura em aberto para voltar a enviar mensagens e criar canais.',
  TWO_FACTOR_REQUIRED:
    'A organização exige a verificação em duas etapas. Ative-a na sua conta, ou troque de organização.',
  TEMPLATE_NOT_SENDABLE:
    'O WhatsApp pausou, desativou ou rejeitou este modelo. Envie outro, ou espere até que seja aprovado de novo.',
  UNAUTHORIZED: 'A sessão terminou. Entre de novo.',
  UNSUPPORTED_MEDIA_TYPE: 'O hub não aceita este tipo de conteúdo aqui.',
  UPSTREAM_REJECTED: 'O WhatsApp recusou o pedido.',
  UPSTREAM_UNAVAILABLE: 'O serviço por trás do hub não responde. Tente de novo em instantes.',
  WEBHOOK_URL_NOT_ALLOWED: 'O hub não entrega neste endereço.',
}
