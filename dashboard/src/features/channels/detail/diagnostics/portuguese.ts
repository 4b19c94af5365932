/** The sentences of the hub's checks in Portuguese; `*` stands for what differs each time. */
export const PORTUGUESE: Record<string, string> = {
  'The upstream accepts the credential.': 'O WhatsApp aceita a credencial guardada.',
  'The upstream no longer accepts the credential.': 'O WhatsApp não aceita mais a credencial.',
  'The credential was issued to another app.': 'A credencial foi emitida para outro aplicativo.',
  'The upstream refuses the app of this hub.': 'O WhatsApp recusa o aplicativo deste hub.',
  'The stored credential cannot be decrypted.': 'Não é possível decifrar a credencial guardada.',
  'The channel was never connected.': 'O canal nunca foi conectado.',
  'There is no number yet.': 'Ainda não há número.',
  'There is no account yet.': 'Ainda não há conta.',
  'It cannot be checked without a credential.': 'Não dá para verificar sem uma credencial.',
  'The number is registered and connected.': 'O número está registrado e conectado.',
  'The number is * at the upstream.': 'O número está * no WhatsApp.',
  'The number is connected to another channel now.': 'O número agora está conectado a outro canal.',
  "The hub's app is subscribed to the account's callbacks.": 'O aplicativo do hub recebe os avisos da conta.',
  "The hub is not subscribed to the account's callbacks.": 'O hub não recebe os avisos da conta.',
  "No callback of the upstream has arrived for this channel's account yet.":
    'Nenhum aviso do WhatsApp chegou ainda para a conta deste canal.',
  'The last callback of the upstream, at *, was verified.': 'O último aviso do WhatsApp (*) tinha assinatura válida.',
  'Callbacks for this account had a wrong signature: *, the last at *.':
    'Avisos desta conta tinham assinatura errada: *. O último: *.',
  'Active webhook endpoints that receive this channel: *. Listeners: *.':
    'Endpoints ativos que recebem este canal: *. Terminais em escuta: *.',
  'Paused webhook endpoints of this channel: *. Active: *. Listeners: *.':
    'Endpoints deste canal em pausa: *. Ativos: *. Terminais em escuta: *.',
  'No active webhook endpoint receives this channel.': 'Nenhum endpoint ativo recebe este canal.',
  'The upstream refused the request for this channel.': 'O WhatsApp recusou a consulta para este canal.',
  'The upstream did not respond.': 'O WhatsApp não respondeu.',
  'Create a new connect link and let the owner of the number use it.':
    'Crie um novo link de conexão e peça a quem tem o número que o use.',
  'Open its connect link, or create a new one.': 'Abra o link de conexão do canal ou crie um novo.',
  'Use the channel that has the number, or disconnect the number there and connect this channel again.':
    'Use o canal que tem o número, ou desconecte o número lá e conecte este canal de novo.',
  "See the number's page in WhatsApp Manager for what the upstream requires.":
    'Veja na página do número no Gerenciador do WhatsApp o que a Meta exige.',
  'The hub subscribes again by itself within the hour; connect the channel again to do it at once.':
    'O hub refaz a assinatura sozinho em até uma hora; conecte o canal de novo para fazer agora.',
  "Ask the operator of the hub whether UPSTREAM_APP_SECRET is the secret of its app at Meta. Other clients' requests also count.":
    'Pergunte a quem opera o hub se UPSTREAM_APP_SECRET é o segredo do aplicativo na Meta. Requisições de outros clientes também contam.',
  'Ask the operator of the hub to check UPSTREAM_APP_ID and UPSTREAM_APP_SECRET.':
    'Peça a quem opera o hub que confira UPSTREAM_APP_ID e UPSTREAM_APP_SECRET.',
  'Create a webhook endpoint, activate a paused one, or add this channel to one.':
    'Crie um endpoint, ative um que esteja em pausa ou adicione este canal a um deles.',
  'No fault is known. Run the diagnostics again in a few minutes.':
    'Nenhum defeito conhecido. Faça o diagnóstico de novo em alguns minutos.',
}
