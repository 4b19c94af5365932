import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  4: {
    title: 'O aplicativo faz chamadas demais',
    remedy: 'O limite soma todos os canais do aplicativo da Meta. Envie mais devagar e tente mais tarde.',
  },
  10: {
    title: 'Falta uma permissão',
    remedy: 'O token não permite isto. Reconecte o canal e conceda todas as permissões.',
  },
  33: {
    title: 'O número não existe mais',
    remedy: 'Ele foi excluído da conta do WhatsApp. Conecte o canal a outro número.',
  },
  100: { title: 'Um valor não é válido', remedy: 'Compare os campos da requisição com os detalhes do erro.' },
  190: { title: 'O token de acesso não vale mais', remedy: 'Reconecte o canal; nada mais impede os envios.' },
  368: {
    title: 'Bloqueio por violação de política',
    remedy: 'Leia o aviso na conta da Meta e peça uma revisão por lá.',
  },
  80007: {
    title: 'A conta faz chamadas demais',
    remedy: 'Todos os números da conta dividem este limite. Envie mais devagar e tente mais tarde.',
  },
  130403: { title: 'A empresa bloqueou esta pessoa', remedy: 'Desbloqueie a pessoa antes de escrever de novo.' },
  130429: {
    title: 'Mensagens demais por segundo',
    remedy: 'O número chegou à sua vazão máxima. Distribua os envios no tempo.',
  },
  130472: {
    title: 'Retida por um experimento da Meta',
    remedy: 'A pessoa está em um grupo de teste sem mensagens de marketing. Não repita o envio.',
  },
  130497: {
    title: 'Não permitido neste país',
    remedy: 'A conta não pode escrever para pessoas de lá. Veja as restrições dela na Meta.',
  },
  131000: {
    title: 'A Meta falhou sem dizer por quê',
    remedy: 'Envie de novo em alguns minutos. Se continuar, veja a página de status da Meta.',
  },
  131005: { title: 'Acesso negado', remedy: 'Uma permissão foi retirada. Reconecte o canal.' },
  131008: { title: 'Falta um campo', remedy: 'Inclua o campo que os detalhes citam.' },
  131009: { title: 'Um campo tem valor errado', remedy: 'Corrija o campo que os detalhes citam.' },
  131016: { title: 'A Meta está fora do ar', remedy: 'Envie de novo em alguns minutos.' },
  131021: { title: 'O número escreveu para si', remedy: 'Escolha um destino diferente do número do canal.' },
  131026: {
    title: 'Não foi possível entregar',
    remedy: 'A pessoa não tem WhatsApp, usa uma versão antiga ou não aceitou os termos. Tente outro meio de contato.',
  },
  131030: {
    title: 'Destino fora da lista de teste',
    remedy: 'Um número de teste só escreve para números cadastrados na Meta.',
  },
  131031: {
    title: 'A conta está bloqueada',
    remedy: 'A Meta bloqueou por violação ou por PIN errado. Resolva na conta da Meta.',
  },
  131037: {
    title: 'O nome de exibição não foi aprovado',
    remedy: 'Envie um nome de exibição do número na Meta e aguarde a aprovação.',
  },
  131042: {
    title: 'Problema com o meio de pagamento',
    remedy: 'Confira cartão, crédito e moeda da conta do WhatsApp na Meta.',
  },
  131047: { title: 'Fora da janela de 24 h', remedy: 'Faz mais de 24 horas que a pessoa escreveu. Envie um modelo.' },
  131048: {
    title: 'Limitado por spam',
    remedy: 'Muita gente denunciou ou bloqueou o número. Envie menos, e só a quem pediu.',
  },
  131049: {
    title: 'Limitado pela Meta para esta pessoa',
    remedy: 'A pessoa recebe muitas mensagens de marketing. Espere ao menos 24 horas antes de outra.',
  },
  131050: {
    title: 'A pessoa parou de receber marketing',
    remedy: 'Respeite a escolha: não envie modelos de marketing a esta pessoa.',
  },
  131051: {
    title: 'Este tipo de mensagem não é aceito',
    remedy: 'Envie texto, arquivo, modelo ou outro tipo da documentação.',
  },
  131052: { title: 'O arquivo da pessoa não pôde ser baixado', remedy: 'Peça que a pessoa envie de novo.' },
  131053: { title: 'O arquivo não pôde ser carregado', remedy: 'Confira o tipo, o tamanho e se o endereço é público.' },
  131056: {
    title: 'Mensagens demais para uma pessoa',
    remedy: 'Espere alguns segundos antes da próxima mensagem para a mesma pessoa.',
  },
  131057: { title: 'A conta está em manutenção', remedy: 'Tente em um minuto; a vazão do número pode estar mudando.' },
  131063: { title: 'Modelos de marketing desativados', remedy: 'Ative-os na conta da Meta ou envie outra categoria.' },
  132000: {
    title: 'Número errado de parâmetros',
    remedy: 'Passe ao modelo tantos parâmetros quantas variáveis ele tem.',
  },
  132001: { title: 'O modelo não existe', remedy: 'Confira o nome, o idioma e se foi aprovado.' },
  132005: { title: 'O texto do modelo ficou longo demais', remedy: 'Encurte os valores das variáveis.' },
  132007: {
    title: 'O modelo fere uma regra de formato',
    remedy: 'Procure quebras de linha, tabulações ou muitos espaços nos valores.',
  },
  132012: { title: 'Um parâmetro tem formato errado', remedy: 'Compare tipos e nomes dos parâmetros com o modelo.' },
  132015: { title: 'O modelo está em pausa', remedy: 'A qualidade caiu. Espere o fim da pausa e melhore o texto.' },
  132016: { title: 'O modelo foi desativado', remedy: 'Ele foi pausado vezes demais. Crie outro.' },
  133010: { title: 'O número não está registrado', remedy: 'Rode o diagnóstico do canal ou reconecte-o.' },
  135000: { title: 'A Meta não entendeu a requisição', remedy: 'Compare a mensagem com a documentação do tipo.' },
}
