import type { Language } from '@hubline/locales/languages.ts'

export type UpstreamErrorTexts = Record<
  number,
  Record<Exclude<Language, 'es'>, readonly [title: string, remedy: string]>
>

/** The errors that senders meet most: a title and a remedy. */
export const UPSTREAM_ERRORS: UpstreamErrorTexts = {
  4: {
    en: [
      'The app makes too many calls',
      'The limit counts all channels of the Meta app. Send slower and try again later.',
    ],
    'pt-BR': [
      'O aplicativo faz chamadas demais',
      'O limite soma todos os canais do aplicativo da Meta. Envie mais devagar e tente mais tarde.',
    ],
  },
  10: {
    en: ['A permission is missing', 'The token may not do this. Connect the channel again and grant every permission.'],
    'pt-BR': ['Falta uma permissão', 'O token não permite isto. Reconecte o canal e conceda todas as permissões.'],
  },
  33: {
    en: [
      'The number no longer exists',
      'It was deleted from its WhatsApp account. Connect the channel to another number.',
    ],
    'pt-BR': ['O número não existe mais', 'Ele foi excluído da conta do WhatsApp. Conecte o canal a outro número.'],
  },
  100: {
    en: ['A value is not valid', 'Check the fields of the request against the details of the error.'],
    'pt-BR': ['Um valor não é válido', 'Compare os campos da requisição com os detalhes do erro.'],
  },
  190: {
    en: ['The access token is no longer valid', 'Connect the channel again; messages wait for nothing else.'],
    'pt-BR': ['O token de acesso não vale mais', 'Reconecte o canal; nada mais impede os envios.'],
  },
  368: {
    en: ['Blocked for a policy violation', 'Read the notice in the account at Meta and ask for a review there.'],
    'pt-BR': ['Bloqueio por violação de política', 'Leia o aviso na conta da Meta e peça uma revisão por lá.'],
  },
  80007: {
    en: [
      'The account makes too many calls',
      'All numbers of the account share this limit. Send slower and try again later.',
    ],
    'pt-BR': [
      'A conta faz chamadas demais',
      'Todos os números da conta dividem este limite. Envie mais devagar e tente mais tarde.',
    ],
  },
  130403: {
    en: ['The business blocked this person', 'Unblock the person before writing again.'],
    'pt-BR': ['A empresa bloqueou esta pessoa', 'Desbloqueie a pessoa antes de escrever de novo.'],
  },
  130429: {
    en: ['Too many messages per second', 'The number has reached its throughput. Spread the sends over more time.'],
    'pt-BR': ['Mensagens demais por segundo', 'O número chegou à sua vazão máxima. Distribua os envios no tempo.'],
  },
  130472: {
    en: [
      'Held back by an experiment of Meta',
      'The person is in a test group without marketing messages. Do not repeat it.',
    ],
    'pt-BR': [
      'Retida por um experimento da Meta',
      'A pessoa está em um grupo de teste sem mensagens de marketing. Não repita o envio.',
    ],
  },
  130497: {
    en: ['Not allowed in this country', 'The account may not write to people there. Check its restrictions at Meta.'],
    'pt-BR': [
      'Não permitido neste país',
      'A conta não pode escrever para pessoas de lá. Veja as restrições dela na Meta.',
    ],
  },
  131000: {
    en: [
      'Meta failed without a reason',
      'Send it again in a few minutes. If it keeps failing, check the status page of Meta.',
    ],
    'pt-BR': [
      'A Meta falhou sem dizer por quê',
      'Envie de novo em alguns minutos. Se continuar, veja a página de status da Meta.',
    ],
  },
  131005: {
    en: ['Access was denied', 'A permission was withdrawn. Connect the channel again.'],
    'pt-BR': ['Acesso negado', 'Uma permissão foi retirada. Reconecte o canal.'],
  },
  131008: {
    en: ['A field is missing', 'Add the field that the details name.'],
    'pt-BR': ['Falta um campo', 'Inclua o campo que os detalhes citam.'],
  },
  131009: {
    en: ['A field has a wrong value', 'Correct the field that the details name.'],
    'pt-BR': ['Um campo tem valor errado', 'Corrija o campo que os detalhes citam.'],
  },
  131016: {
    en: ['Meta is not available', 'Send it again in a few minutes.'],
    'pt-BR': ['A Meta está fora do ar', 'Envie de novo em alguns minutos.'],
  },
  131021: {
    en: ['The number wrote to itself', 'Choose a recipient other than the number of the channel.'],
    'pt-BR': ['O número escreveu para si', 'Escolha um destino diferente do número do canal.'],
  },
  131026: {
    en: [
      'Message undeliverable',
      'The person has no WhatsApp, an old version of it, or has not accepted its terms. Try another way to reach them.',
    ],
    'pt-BR': [
      'Não foi possível entregar',
      'A pessoa não tem WhatsApp, usa uma versão antiga ou não aceitou os termos. Tente outro meio de contato.',
    ],
  },
  131030: {
    en: ['Recipient is not on the test list', 'A test number writes only to numbers that were added at Meta.'],
    'pt-BR': ['Destino fora da lista de teste', 'Um número de teste só escreve para números cadastrados na Meta.'],
  },
  131031: {
    en: [
      'The account is locked',
      'Meta locked it for a violation or for a wrong PIN. Resolve it in the account at Meta.',
    ],
    'pt-BR': ['A conta está bloqueada', 'A Meta bloqueou por violação ou por PIN errado. Resolva na conta da Meta.'],
  },
  131037: {
    en: ['The display name is not approved', 'Submit a display name for the number at Meta and wait for its approval.'],
    'pt-BR': [
      'O nome de exibição não foi aprovado',
      'Envie um nome de exibição do número na Meta e aguarde a aprovação.',
    ],
  },
  131042: {
    en: ['A problem with the payment method', 'Check card, credit and currency of the WhatsApp account at Meta.'],
    'pt-BR': ['Problema com o meio de pagamento', 'Confira cartão, crédito e moeda da conta do WhatsApp na Meta.'],
  },
  131047: {
    en: ['Outside the 24 h window', 'More than 24 hours have passed since the person last wrote. Send a template.'],
    'pt-BR': ['Fora da janela de 24 h', 'Faz mais de 24 horas que a pessoa escreveu. Envie um modelo.'],
  },
  131048: {
    en: [
      'Limited for spam',
      'Too many people reported or blocked the number. Send less, and only to those who asked for it.',
    ],
    'pt-BR': ['Limitado por spam', 'Muita gente denunciou ou bloqueou o número. Envie menos, e só a quem pediu.'],
  },
  131049: {
    en: [
      'Limited by Meta for this person',
      'The person gets many marketing messages. Wait at least 24 hours before another one.',
    ],
    'pt-BR': [
      'Limitado pela Meta para esta pessoa',
      'A pessoa recebe muitas mensagens de marketing. Espere ao menos 24 horas antes de outra.',
    ],
  },
  131050: {
    en: ['The person stopped marketing messages', 'Respect it: do not send marketing templates to this person.'],
    'pt-BR': [
      'A pessoa parou de receber marketing',
      'Respeite a escolha: não envie modelos de marketing a esta pessoa.',
    ],
  },
  131051: {
    en: [
      'This type of message is not supported',
      'Send a text, a file, a template or another type of the documentation.',
    ],
    'pt-BR': ['Este tipo de mensagem não é aceito', 'Envie texto, arquivo, modelo ou outro tipo da documentação.'],
  },
  131052: {
    en: ['The file of the person could not be loaded', 'Ask the person to send it again.'],
    'pt-BR': ['O arquivo da pessoa não pôde ser baixado', 'Peça que a pessoa envie de novo.'],
  },
  131053: {
    en: ['The file could not be loaded', 'Check its type, its size and that its address is public.'],
    'pt-BR': ['O arquivo não pôde ser carregado', 'Confira o tipo, o tamanho e se o endereço é público.'],
  },
  131056: {
    en: ['Too many messages to one person', 'Wait some seconds before the next message to the same person.'],
    'pt-BR': [
      'Mensagens demais para uma pessoa',
      'Espere alguns segundos antes da próxima mensagem para a mesma pessoa.',
    ],
  },
  131057: {
    en: ['The account is being maintained', 'Try again in a minute; the throughput of the number may be changing.'],
    'pt-BR': ['A conta está em manutenção', 'Tente em um minuto; a vazão do número pode estar mudando.'],
  },
  131063: {
    en: ['Marketing templates are turned off', 'Turn them on for the account at Meta, or send another category.'],
    'pt-BR': ['Modelos de marketing desativados', 'Ative-os na conta da Meta ou envie outra categoria.'],
  },
  132000: {
    en: ['Wrong number of parameters', 'Give the template as many parameters as it has variables.'],
    'pt-BR': ['Número errado de parâmetros', 'Passe ao modelo tantos parâmetros quantas variáveis ele tem.'],
  },
  132001: {
    en: ['Template does not exist', 'Check its name and its language, and that it is approved.'],
    'pt-BR': ['O modelo não existe', 'Confira o nome, o idioma e se foi aprovado.'],
  },
  132005: {
    en: ['The text of the template is too long', 'Shorten the values of its variables.'],
    'pt-BR': ['O texto do modelo ficou longo demais', 'Encurte os valores das variáveis.'],
  },
  132007: {
    en: ['The template breaks a rule of format', 'Look for line breaks, tabs or many spaces in the values.'],
    'pt-BR': [
      'O modelo fere uma regra de formato',
      'Procure quebras de linha, tabulações ou muitos espaços nos valores.',
    ],
  },
  132012: {
    en: ['A parameter has the wrong format', 'Compare types and names of the parameters with the template.'],
    'pt-BR': ['Um parâmetro tem formato errado', 'Compare tipos e nomes dos parâmetros com o modelo.'],
  },
  132015: {
    en: ['The template is paused', 'Its quality fell. Wait for the end of the pause, and improve it.'],
    'pt-BR': ['O modelo está em pausa', 'A qualidade caiu. Espere o fim da pausa e melhore o texto.'],
  },
  132016: {
    en: ['The template is disabled', 'It was paused too often. Create another one.'],
    'pt-BR': ['O modelo foi desativado', 'Ele foi pausado vezes demais. Crie outro.'],
  },
  133010: {
    en: ['The number is not registered', 'Run the diagnostics of the channel, or connect it again.'],
    'pt-BR': ['O número não está registrado', 'Rode o diagnóstico do canal ou reconecte-o.'],
  },
  135000: {
    en: ['Meta did not understand the request', 'Compare the message with the documentation of its type.'],
    'pt-BR': ['A Meta não entendeu a requisição', 'Compare a mensagem com a documentação do tipo.'],
  },
}
