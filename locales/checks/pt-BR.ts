import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  found: {
    token_accepted: 'O WhatsApp aceita a credencial guardada.',
    token_refused: 'O WhatsApp não aceita mais a credencial.',
    token_of_another_app: 'A credencial foi emitida para outro aplicativo.',
    hub_app_refused: 'O WhatsApp recusa o aplicativo deste hub.',
    token_unreadable: 'Não é possível decifrar a credencial guardada.',
    never_connected: 'O canal nunca foi conectado.',
    no_number: 'Ainda não há número.',
    no_account: 'Ainda não há conta.',
    no_credential: 'Não dá para verificar sem uma credencial.',
    number_connected: 'O número está registrado e conectado.',
    number_not_connected: 'O número está {{status}} no WhatsApp.',
    number_restricted: 'O número está {{status}} no WhatsApp.',
    number_of_another_channel: 'O número agora está conectado a outro canal.',
    subscribed: 'O aplicativo do hub recebe os avisos da conta.',
    not_subscribed: 'O hub não recebe os avisos da conta.',
    callbacks_to_cell: 'As mensagens do número chegam a esta célula ({{cell}}), em {{url}}.',
    callbacks_to_app:
      'As mensagens do número chegam ao endereço do aplicativo do hub, {{url}}, e não diretamente a esta célula ({{cell}}).',
    callbacks_elsewhere: 'As mensagens do número chegam a {{url}}, e não a esta célula ({{cell}}).',
    no_callback: 'Nenhum aviso do WhatsApp chegou ainda para a conta deste canal.',
    callback_verified: 'O último aviso do WhatsApp ({{at}}) tinha assinatura válida.',
    callbacks_refused: 'Avisos desta conta tinham assinatura errada: {{refused}}. O último: {{at}}.',
    endpoints_active: 'Endpoints ativos que recebem este canal: {{active}}. Terminais em escuta: {{listeners}}.',
    endpoints_paused:
      'Endpoints deste canal em pausa: {{names}}. Ativos: {{active}}. Terminais em escuta: {{listeners}}.',
    endpoints_all_paused:
      'Endpoints deste canal em pausa: {{names}}. Ativos: {{active}}. Terminais em escuta: {{listeners}}.',
    no_endpoint: 'Nenhum endpoint ativo recebe este canal.',
    upstream_refused: 'O WhatsApp recusou a consulta para este canal.',
    upstream_unavailable: 'O WhatsApp não respondeu.',
  },
  remedies: {
    token_refused: 'Crie um novo link de conexão e peça a quem tem o número que o use.',
    token_of_another_app: 'Crie um novo link de conexão e peça a quem tem o número que o use.',
    hub_app_refused: 'Peça a quem opera o hub que confira UPSTREAM_APP_ID e UPSTREAM_APP_SECRET.',
    token_unreadable:
      'Dê ao hub a chave de cifragem com que ela foi guardada. Se a chave se perdeu, crie um novo link de conexão e peça a quem tem o número que o use.',
    never_connected: 'Abra o link de conexão do canal ou crie um novo.',
    number_not_connected: 'Crie um novo link de conexão e peça a quem tem o número que o use.',
    number_restricted: 'Veja na página do número no Gerenciador do WhatsApp o que a Meta exige.',
    number_of_another_channel: 'Use o canal que tem o número, ou desconecte o número lá e conecte este canal de novo.',
    not_subscribed: 'O hub refaz a assinatura sozinho em até uma hora; conecte o canal de novo para fazer agora.',
    callbacks_to_app: 'O hub troca o endereço sozinho em até uma hora; conecte o canal de novo para fazer agora.',
    callbacks_elsewhere: 'Use o canal do número lá, ou exclua-o lá e conecte este canal de novo.',
    callbacks_refused:
      'Pergunte a quem opera o hub se UPSTREAM_APP_SECRET é o segredo do aplicativo na Meta. Requisições de outros clientes também contam.',
    endpoints_all_paused: 'Crie um endpoint, ative um que esteja em pausa ou adicione este canal a um deles.',
    no_endpoint: 'Crie um endpoint, ative um que esteja em pausa ou adicione este canal a um deles.',
    upstream_refused: 'Crie um novo link de conexão e peça a quem tem o número que o use.',
    upstream_unavailable: 'Nenhum defeito conhecido. Faça o diagnóstico de novo em alguns minutos.',
  },
}
