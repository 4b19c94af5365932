import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  INVALID_REQUEST: {
    body_invalid: 'O corpo é inválido: {{path}} {{problem}}.',
    query_invalid: 'A consulta é inválida: {{path}} {{problem}}.',
    path_invalid: 'O caminho é inválido: {{path}} {{problem}}.',
    headers_invalid: 'Os cabeçalhos são inválidos: {{path}} {{problem}}.',
    request_invalid: 'A requisição é inválida: {{path}} {{problem}}.',
    body_not_json: 'O corpo não é um JSON válido.',
    callback_loop: 'Um processo com ROLE=callbacks já encaminhou este aviso. CELLS só pode ter células.',
    body_not_utf8: 'O corpo não é UTF-8 válido.',
    body_not_object: 'O corpo precisa ser um objeto JSON.',
    body_not_accepted: 'Este endpoint não aceita corpo.',
    body_ended_early: 'O corpo terminou antes do fim.',
    property_repeated: 'O corpo repete uma propriedade no mesmo objeto.',
    property_name_forbidden: 'O corpo tem um nome de propriedade proibido: {{name}}.',
    number_rounded: 'O corpo tem um número que seria arredondado: {{number}}. Envie ids como texto.',
    too_many_values: 'O corpo tem mais de {{limit}} valores.',
    nested_too_deeply: 'O corpo tem mais de {{limit}} níveis.',
    nul_character: 'O corpo tem um caractere NUL (\\u0000), que não pode ser guardado.',
    surrogate_half: 'O corpo tem metade de um par substituto, que não é um caractere.',
    content_length_wrong: 'O Content-Length não corresponde ao corpo.',
    not_http: 'Isto não é HTTP/1.1 válido.',
    address_not_utf8: 'O caminho não é UTF-8 válido com codificação por porcentagem.',
    address_unreadable: 'O endereço não é UTF-8 válido com codificação por porcentagem.',
    address_nul_character: 'O endereço tem um caractere NUL (%00).',
    host_missing: 'A requisição não tem o cabeçalho Host.',
    idempotency_key_repeated: 'Envie um só cabeçalho Idempotency-Key.',
    credential_and_session: 'Envie uma credencial Bearer ou o cookie de uma sessão, não os dois.',
    organization_header_invalid: 'X-Hub-Organization precisa ser um uuid.',
    cursor_of_another_list: 'O cursor não é desta lista. Comece de novo sem ele.',
    password_common: 'Esta senha está entre as primeiras que atacantes tentam. Escolha outra, como uma frase.',
    logo_not_image: 'Envie uma imagem PNG, JPEG ou WebP: vale o conteúdo do arquivo, não o nome.',
    logo_too_heavy: 'A imagem tem {{bytes}} bytes. Envie uma de no máximo {{maximum}}.',
    logo_too_large: 'A imagem tem {{width}} × {{height}} pixels. Envie uma de no máximo {{maximum}} × {{maximum}}.',
    form_nul_character: 'O formulário tem um caractere NUL.',
    form_field_repeated: 'Um campo aparece mais de uma vez no formulário.',
    form_too_many_fields: 'O formulário tem mais de {{limit}} campos.',
    form_unreadable: 'O corpo não é multipart/form-data válido.',
    form_without_boundary: 'O corpo não é multipart/form-data válido: falta o boundary no Content-Type.',
    form_one_file: 'O formulário aceita um arquivo, no campo {{field}}, e nada mais.',
    form_one_file_beside:
      'O formulário aceita um arquivo, no campo {{field}}, ao lado do campo {{other}}, e nada mais.',
    form_field_not_one_of: 'O campo {{field}} aceita um destes valores: {{values}}.',
    file_missing: 'Falta o arquivo: envie-o no campo {{field}}.',
    file_length_invalid: 'file_length precisa ser o número de bytes do arquivo',
    file_offset_invalid: 'file_offset precisa ser 0: envie o arquivo inteiro de uma vez',
    file_length_differs: 'O arquivo tem {{bytes}} bytes, e foram anunciados {{announced}}',
    parameter_not_text: '{{name}} precisa ser um texto ou um booleano',
    input_token_missing: 'O parâmetro input_token é obrigatório',
    webhook_configuration_invalid: 'webhook_configuration precisa ser um objeto',
    webhook_configuration_unknown: 'Antes, crie no hub um endpoint de webhook para este endereço',
    webhook_url_missing: 'Envie webhook_url junto com {{fields}}.',
    channel_named_twice: 'channel_ids cita um canal duas vezes.',
    other_number: 'Este canal já foi conectado e só aceita o mesmo número.',
    several_numbers: 'A conta tem vários números. Escolha um.',
    account_without_number: 'A conta ainda não tem número.',
    number_not_of_account: 'A conta não tem este número.',
    pin_required:
      'Para registrar este número é preciso um PIN de seis dígitos: o que ele tem, ou um novo se não tiver.',
    period_reversed: '`since` precisa vir antes de `until`.',
    period_too_long: '`since` pode estar no máximo {{days}} dias antes de `until`.',
    day_invalid: '`{{name}}` precisa ser um dia, como 2026-11-30, ou uma data e hora ISO 8601.',
    proration_date_invalid:
      'A proration_date não tem prévia dos últimos dez minutos, ou a assinatura foi cobrada depois da prévia. Peça outra prévia.',
    expires_in_past: 'expires_at está no passado.',
    invoice_cursor_unknown: 'O provedor de pagamento não tem mais a fatura deste cursor. Comece de novo sem ele.',
    person_invalid: '`person` precisa ser um telefone com o código do país, ou um id de usuário como BR.1234.',
    phone_invalid: '`phone` precisa ser um telefone com o código do país, como +55 11 98765-4321.',
    user_id_invalid: '`user_id` precisa ser um id de usuário do WhatsApp, como BR.1234.',
    name_missing: '`name` precisa ter o começo de um nome ou de um nome de usuário.',
    number_end_too_short: '`number_end` precisa ter {{minimum}} dígitos ou mais.',
    too_many_people: 'Mais de {{limit}} pessoas correspondem. Digite mais do nome ou do número.',
    message_id_invalid: '`id` precisa ser o id de uma mensagem, ou o id do WhatsApp, que começa com wamid.',
    second_factor_not_begun: 'Comece ativando a verificação em duas etapas.',
    second_factor_exists: 'A verificação em duas etapas já está ativa. Desative-a antes.',
    second_factor_missing: 'A verificação em duas etapas não está ativa.',
    second_factor_replaced: 'Um novo segredo foi criado nesse meio-tempo. Comece de novo.',
    second_factor_code_wrong: 'O código não confere. Digite o código atual do aplicativo autenticador.',
    mail_code_wrong: 'O código não confere, já foi usado ou expirou. Digite o do último e-mail, ou peça outro.',
    setup_code_wrong: 'O código de configuração não confere. O hub o escreve no log ao iniciar.',
    account_not_created: 'Não foi possível criar uma conta com estes dados. Se você já tem uma, entre.',
    account_just_created: 'Uma conta com este e-mail acabou de ser criada. Tente de novo com a senha dela.',
    member_already: 'Esta pessoa já é membro.',
    last_owner:
      'A última pessoa titular não pode sair nem mudar de papel. Antes, dê o papel de titular a outro membro.',
    time_zone_unknown: 'O fuso horário não é conhecido.',
    organization_name_wrong: 'O nome não é o da organização.',
    simulator_refused: '{{problem}}.',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    url_too_long: 'A URL tem mais de {{maximum}} caracteres.',
    url_character_forbidden: 'A URL tem um espaço, um caractere de controle ou uma barra invertida.',
    url_unreadable: 'Não dá para ler a URL. Informe-a completa, como https://example.com/hooks.',
    url_not_in_full: 'Informe a URL completa, como https://example.com/hooks.',
    url_with_credentials: 'A URL tem nome de usuário ou senha.',
    url_of_other_scheme: 'Só URLs https são permitidas.',
    url_not_https: 'Só URLs https são permitidas, a não ser que WEBHOOK_ALLOWED_DESTINATIONS inclua o host.',
    url_of_other_port:
      'Só a porta 443 é permitida, a não ser que WEBHOOK_ALLOWED_DESTINATIONS inclua o host e a porta.',
    host_ends_in_dot: 'O nome do host termina com um ponto. Retire o ponto.',
    host_invalid: 'O host da URL não é um nome válido.',
    host_local: 'O nome do host é de uma rede local. Use um nome público.',
    host_unknown: 'O nome do host não existe.',
    host_without_address: 'O nome do host não tem endereço.',
    host_timeout: 'O nome do host não foi resolvido a tempo.',
    host_with_too_many_addresses: 'O nome do host tem endereços demais.',
    host_unresolved: 'Não foi possível resolver o nome do host.',
    address_forbidden: 'A URL leva a um endereço local ou de metadados, o que nunca é permitido.',
    address_not_public: 'A URL leva a um endereço que não é público.',
  },
  INVALID_WEBHOOK: {
    channel_ids_not_empty: 'channel_ids precisa estar vazio quando all_channels é true.',
    channel_ids_empty: 'channel_ids precisa citar ao menos um canal quando all_channels é false.',
    channel_unknown: 'channel_ids cita um canal que não existe.',
  },
  INVALID_FIELD_MODIFIER: {
    fields_not_plain: 'Aqui, `fields` só aceita nomes simples, sem modificadores nem chaves.',
    fields_of_account: '`fields` de uma conta aceita {{names}}, com modificadores só no último.',
    fields_malformed: '`fields` está malformado.',
    modifier_repeated: 'Cada modificador só pode aparecer uma vez.',
    modifier_unknown: 'Os modificadores permitidos são {{names}}.',
    modifier_value_invalid: 'O valor do modificador {{name}} é inválido.',
  },
  INVALID_CALL: {
    call_product_invalid: 'A chamada é inválida: messaging_product precisa ser whatsapp.',
    call_id_invalid: 'A chamada é inválida: call_id precisa ser um texto.',
    call_action_invalid: 'A chamada é inválida: action precisa ser um destes valores: {{actions}}.',
    call_not_object: 'A chamada é inválida: o corpo precisa ser um objeto JSON.',
  },
  INVALID_MEDIA: {
    media_type_not_accepted:
      'O WhatsApp não aceita arquivos deste tipo. O tipo é detectado pelos bytes, não pelo nome.',
    example_type_not_accepted:
      'O arquivo precisa ser um de {{types}}. Valem os bytes, não o nome nem o tipo declarado.',
  },
  INVALID_TEMPLATE_ID: {
    template_id_not_digits: 'hsm_id só pode ter dígitos: é o id que a lista de modelos mostra.',
  },
  TEMPLATE_NOT_SENDABLE: {
    template_not_sendable:
      'O modelo {{name}} ({{language}}) não pode ser enviado: o WhatsApp informou que está {{status}}. Envie outro, ou espere até que ele seja aprovado de novo.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    key_of_another_message:
      'Esta Idempotency-Key já foi usada com outro corpo, destinatário ou rota. Use uma nova para cada mensagem.',
    key_of_another_request: 'Esta Idempotency-Key já foi usada com outro corpo. Use uma nova para cada requisição.',
  },
  CHANNEL_NOT_CONNECTED: {
    not_connected: 'O canal não está conectado. Conecte-o com um novo link.',
    credential_refused: 'O WhatsApp não aceita mais a credencial do canal. Conecte o canal de novo.',
    credential_unreadable:
      'A credencial guardada do canal não pode ser lida com as chaves de cifragem deste hub. Dê ao hub a chave que a cifrou, ou conecte o canal com um novo link.',
  },
  NUMBER_ALREADY_CONNECTED: {
    number_already_connected: 'Este número já está conectado a outro canal.',
    account_connected_elsewhere:
      'As mensagens deste número, ou de toda a conta, já vão para outro endereço. Exclua lá o canal do número, ou remova esse endereço na Meta, e conecte-o de novo.',
  },
  UPSTREAM_REJECTED: {
    upstream_refused: 'O WhatsApp recusou: {{title}}',
    upstream_refused_without_title: 'O WhatsApp recusou sem dizer por quê.',
    hub_app_refused:
      'O WhatsApp recusa o aplicativo deste hub. Quem opera o hub precisa conferir UPSTREAM_APP_ID e UPSTREAM_APP_SECRET.',
    callback_url_not_accepted:
      'O WhatsApp não aceitou {{url}}: {{title}}. Confira UPSTREAM_APP_ID e UPSTREAM_APP_SECRET, e se o endereço pode ser acessado de fora.',
    exchange_code_failed:
      'Não foi possível trocar o código do cadastro. Ele vale 30 segundos: faça o cadastro de novo.',
    check_token_failed: 'O token não dá acesso a esta conta. Depois de um cadastro: faça-o de novo e escolha a conta.',
    find_number_failed: 'Não foi possível ler os números da conta.',
    subscribe_failed: 'Não foi possível assinar os avisos da conta.',
    synchronize_failed: 'Não foi possível pedir os contatos e o histórico do aplicativo.',
    register_failed: 'Não foi possível registrar o número.',
  },
  CHECKOUT_NOT_ALLOWED: {
    same_plan: 'Você já tem este plano. Escolha outro: {{plans}}.',
    foreign_plan: 'Sua assinatura não é de um plano deste hub. Fale com quem opera esta instalação.',
    subscription_ended: 'Sua assinatura terminou. Escolha um plano de novo.',
    invoice_open: 'Pague antes a fatura em aberto no portal de pagamento.',
    plan_with_fewer_connections: 'Esse plano permite até {{maximum}} conexões adicionais. Reduza o total antes.',
    plan_with_fewer_channels: 'Esse plano permite {{limit}} canais, e {{used}} estão em uso. Exclua alguns antes.',
    plan_with_fewer_webhook_endpoints:
      'Esse plano permite {{limit}} endpoints de webhook, e {{used}} estão em uso. Exclua alguns antes.',
    just_paid: 'Um pagamento anterior acabou de ser feito. Recarregue a página.',
    checkout_ended: 'Este pagamento foi encerrado. Use outra Idempotency-Key para um novo.',
    checkout_refused: 'O provedor de pagamento recusou o pagamento.',
    change_refused: 'O provedor de pagamento recusou a mudança. Confira o cartão e as faturas no portal de pagamento.',
  },
  ADDON_NOT_ALLOWED: {
    connections_of_another_plan: 'Conexões adicionais exigem outro plano: {{plans}}.',
    invoice_open: 'Pague antes a fatura em aberto no portal de pagamento.',
    too_many_connections: 'Seu plano permite até {{maximum}} conexões adicionais. Escolha um total menor.',
    too_few_connections: '{{used}} canais estão em uso. Exclua canais antes, ou escolha um total maior.',
    change_refused: 'O provedor de pagamento recusou a mudança. Confira o cartão e as faturas no portal de pagamento.',
  },
  BILLING_OFF: {
    billing_off: 'A cobrança está desativada nesta instalação: não há limites nem nada a contratar.',
  },
  UNAUTHORIZED: {
    credential_missing: 'É preciso uma credencial. Envie Authorization: Bearer <chave de API>.',
    credential_malformed: 'Envie a credencial como Authorization: Bearer <token>.',
    credential_invalid: 'A credencial não é válida. Envie Authorization: Bearer <chave de API ou token do canal>.',
    credential_in_query: 'Uma credencial na URL nunca é aceita. Envie Authorization: Bearer <token>.',
    channel_token_required: 'A fachada só aceita o token de um canal. Envie Authorization: Bearer <token do canal>.',
    metrics_token_required: 'Envie Authorization: Bearer <METRICS_TOKEN>.',
    session_required: 'Entre no painel: este endpoint só aceita uma sessão dele.',
    session_ended: 'A sessão terminou. Entre de novo.',
    export_session_ended: 'A sessão terminou, ou não pode mais exportar.',
    password_wrong: 'O e-mail ou a senha não confere.',
    second_factor_required: 'Digite o código atual do aplicativo autenticador, ou um código de recuperação.',
    account_without_organization: 'A conta não pertence a nenhuma organização. Peça um convite.',
    chosen_password_wrong: 'Esta não é a senha que foi escolhida para esta conta.',
    verify_token_wrong: 'O token de verificação não é o deste hub.',
    callback_not_signed: 'O aviso não foi assinado com o segredo deste aplicativo.',
    payment_callback_not_signed: 'O aviso não foi assinado com o segredo deste endpoint.',
    graph_token_repeated: 'Token de acesso OAuth inválido. Envie access_token uma só vez.',
    graph_token_not_in_header:
      'Token de acesso OAuth inválido. Este hub não aceita access_token na URL nem em formulários. Envie Authorization: Bearer <token>.',
    graph_token_missing: 'Token de acesso OAuth inválido. É preciso um token de acesso: envie o token do canal.',
    graph_tokens_differ: 'Token de acesso OAuth inválido. A requisição tem dois tokens de acesso diferentes.',
    graph_token_of_other_kind: 'Token de acesso OAuth inválido. Envie o token do canal, hub_ch_….',
    graph_header_repeated: 'Token de acesso OAuth inválido. Envie um só cabeçalho Authorization.',
    graph_header_malformed: 'Token de acesso OAuth inválido. Envie o token como Authorization: Bearer <token>.',
    graph_token_in_query: 'Token de acesso OAuth inválido. Na URL, um token só é aceito como access_token.',
  },
  INSUFFICIENT_SCOPE: {
    scope_missing: 'A credencial não tem o escopo {{scope}}.',
    scopes_not_grantable: 'Você não pode conceder escopos que não tem: {{scopes}}.',
    role_too_low: 'Isto exige o papel {{role}} ou um acima dele.',
    role_of_other_member: 'Seu papel não permite isto para um membro com esse papel.',
    role_of_invitation: 'Seu papel é {{own_role}}, e por isso você não pode convidar um membro como {{role}}.',
    owner_required_for_second_factor:
      'Só titulares decidem se todos os membros precisam da verificação em duas etapas.',
    channel_token_not_allowed: 'O token de um canal não permite isto. Use uma chave de API.',
  },
  TWO_FACTOR_REQUIRED: {
    second_factor_of_organization:
      'A organização exige a verificação em duas etapas de todos os membros. Ative-a na sua conta e entre com ela, ou mude para outra organização.',
  },
  ORIGIN_NOT_ALLOWED: {
    origin_not_allowed: 'Uma requisição com sessão precisa do cabeçalho Origin com o valor de PUBLIC_URL.',
    download_of_another_site: 'Uma página de outro site não pode iniciar um download. Inicie-o no painel.',
  },
  SUBSCRIPTION_SUSPENDED: {
    subscription_suspended: 'A assinatura está suspensa por uma fatura não paga. Pague-a no portal de pagamento.',
  },
  QUOTA_EXCEEDED: {
    channels_of_plan: 'Seu plano permite {{limit}} canais, e {{used}} estão em uso. Exclua um, ou contrate mais.',
    channels_of_plan_in_sandbox:
      'Seu plano permite {{limit}} canais, e {{used}} estão em uso. Exclua um, ou contrate mais. No ambiente de testes, create-organization --plan pro cria uma organização com mais, e BILLING=off inicia um hub sem planos.',
    channels_of_organization: 'O limite de canais de uma organização é {{limit}}. Exclua um.',
    webhook_endpoints_of_plan:
      'Seu plano permite {{limit}} endpoints de webhook, e {{used}} estão em uso. Exclua um, ou contrate mais.',
    webhook_endpoints_of_plan_in_sandbox:
      'Seu plano permite {{limit}} endpoints de webhook, e {{used}} estão em uso. Exclua um, ou contrate mais. No ambiente de testes, create-organization --plan pro cria uma organização com mais, e BILLING=off inicia um hub sem planos.',
    webhook_endpoints_of_organization: 'O limite de endpoints de webhook de uma organização é {{limit}}. Exclua um.',
    channel_ids_of_organization:
      'Os endpoints de uma organização podem listar {{limit}} channel_ids ao todo, e {{used}} estão em uso. Liste menos, ou use all_channels.',
    api_keys_of_organization:
      'Uma organização pode ter {{limit}} chaves de API ativas. Revogue uma que não seja mais usada.',
    members_of_organization:
      'Uma organização pode ter {{limit}} membros e convites abertos. Remova ou revogue alguns antes.',
    organizations_of_person: 'Uma pessoa pode pertencer a {{limit}} organizações. Saia de uma antes.',
    listeners_of_organization:
      'Uma organização pode ter {{limit}} terminais em escuta. Exclua um, ou espere que um sem conexão expire.',
    streams_of_session: 'Uma sessão pode ter {{limit}} conexões ao vivo. Feche uma.',
    streams_of_person: 'Uma pessoa pode ter {{limit}} conexões ao vivo. Feche uma.',
  },
  NOT_FOUND: {
    path_not_found: 'Não há nada neste caminho.',
    path_too_long: 'Não encontrado.',
    account_not_found: 'Conta não encontrada.',
    active_webhook_not_found: 'Webhook ativo não encontrado.',
    api_key_not_found: 'Chave de API não encontrada.',
    asset_not_found: 'Arquivo da página não encontrado.',
    channel_not_found: 'Canal não encontrado.',
    logo_not_found: 'A organização não tem logotipo.',
    connect_link_not_found: 'Link de conexão não encontrado.',
    deletion_not_found: 'Exclusão não encontrada.',
    delivery_not_found: 'Entrega não encontrada.',
    delivery_not_final: 'A entrega está em {{status}}. Ela pode ser repetida depois de succeeded, dead ou canceled.',
    delivery_not_in_retry: 'A entrega está em {{status}}. Só uma entrega em retry pode ser tentada agora.',
    event_erased: 'O evento da entrega foi apagado com a pessoa. A entrega não pode ser repetida.',
    event_past_retention: 'O evento da entrega passou do prazo de retenção. A entrega não pode ser repetida.',
    erasure_not_found: 'Pedido de apagamento não encontrado.',
    file_not_found: 'Arquivo não encontrado.',
    invitation_not_found: 'Convite não encontrado.',
    link_not_found: 'Link não encontrado.',
    inspector_not_found: 'Inspetor não encontrado.',
    inspector_off: 'Este hub não tem inspetores: ele roda com INSPECTOR=off.',
    listener_not_found: 'Terminal em escuta não encontrado.',
    member_not_found: 'Membro não encontrado.',
    message_not_found: 'Mensagem não encontrada.',
    organization_not_found: 'Organização não encontrada.',
    page_not_found: 'Página não encontrada.',
    payment_callback_not_found: 'Aviso de pagamento não encontrado.',
    qr_code_not_found: 'QR code não encontrado.',
    resource_not_found: 'Recurso não encontrado.',
    sandbox_not_found: 'Ambiente de testes não encontrado.',
    session_not_found: 'Sessão não encontrada.',
    upload_session_not_found: 'Sessão de envio não encontrada.',
    webhook_not_found: 'Webhook não encontrado.',
    no_mail: 'Esta instalação não envia e-mails.',
    no_mail_for_reset: 'Esta instalação não envia e-mails. Peça a quem a opera que execute: {{command}}',
    sign_up_closed: 'O cadastro está fechado aqui. Peça um convite.',
    simulator_not_found: '{{problem}}.',
  },
  METHOD_NOT_ALLOWED: {
    method_not_allowed: 'Este caminho só aceita {{methods}}.',
  },
  REQUEST_TIMEOUT: {
    request_too_slow: 'A requisição não chegou a tempo.',
    body_too_slow: 'O corpo não chegou a tempo.',
    file_too_slow: 'O arquivo parou de chegar.',
    export_too_slow: 'A exportação demorou demais. Exporte menos de uma vez, ou leia mais rápido.',
  },
  CONFLICT: {
    email_not_verified: 'Confirme seu e-mail antes. Só então você pode ativar a verificação em duas etapas.',
    email_already_verified: 'O e-mail já está confirmado.',
    second_factor_of_organization:
      'A organização {{organization}} exige a verificação em duas etapas de todos os membros. Saia dela, ou peça a titulares que mudem as configurações.',
    own_second_factor_missing:
      'Ative antes a verificação em duas etapas na sua conta, e depois exija-a de todos os membros.',
    subscription_renews:
      'Há uma assinatura paga ativa. Cancele-a antes no portal de pagamento e depois exclua a organização.',
  },
  OPERATION_IN_PROGRESS: {
    send_in_progress: 'Um envio com esta Idempotency-Key ainda está em andamento. Repita depois com a mesma chave.',
    request_in_progress:
      'Uma requisição com esta Idempotency-Key ainda está em andamento. Tente de novo com a mesma chave.',
    subscription_change_in_progress: 'Outra mudança da assinatura está em andamento. Tente de novo.',
    link_in_use: 'Este link está sendo usado agora. Espere um momento.',
    export_in_progress: 'Já há uma exportação desta organização em andamento. Comece outra quando ela terminar.',
    erasures_in_progress:
      'Há {{limit}} pedidos de apagamento desta organização em andamento. Faça outro quando um terminar.',
  },
  SEND_RESULT_UNKNOWN: {
    send_result_unknown:
      'Não se sabe se esta mensagem foi enviada. Procure-a no registro de mensagens, ou repita a requisição com a mesma chave, que nunca envia duas vezes. Outra chave pode enviar.',
  },
  CONNECT_LINK_USED: {
    connect_link_used: 'Este link já foi usado. Peça outro.',
    reset_link_used: 'Este link já foi usado. Peça outro.',
    billing_link_used: 'Este link já foi usado ou expirou. Peça outro.',
  },
  CONNECT_LINK_EXPIRED: {
    connect_link_expired: 'Este link expirou. Peça outro.',
    connect_link_expired_in_use: 'O link expirou enquanto era usado. Peça outro.',
    reset_link_expired: 'Este link expirou, ou foi substituído por outro ou por uma mudança da senha. Peça outro.',
  },
  PAYLOAD_TOO_LARGE: {
    body_too_large: 'O corpo é grande demais.',
    body_larger_than: 'O corpo tem mais de {{maximum}} bytes.',
  },
  MEDIA_TOO_LARGE: {
    file_too_large: 'Um arquivo do tipo {{type}} pode ter no máximo {{maximum}} bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    json_required: 'Envie o corpo como Content-Type: application/json.',
    form_required: 'Envie o arquivo como Content-Type: multipart/form-data.',
    encoding_not_accepted: 'Envie o corpo como ele é, sem Content-Encoding.',
  },
  RANGE_NOT_SATISFIABLE: {
    range_not_satisfiable: 'O arquivo não tem bytes neste intervalo.',
  },
  RATE_LIMITED: {
    too_many_requests: 'Requisições demais. Tente de novo em {{seconds}} segundos.',
    upstream_throttled: 'O WhatsApp está limitando este número ou esta conta. Tente mais tarde.',
    lists_in_flight:
      'No máximo {{limit}} listas grandes de uma organização podem estar em andamento ao mesmo tempo. Tente quando uma terminar.',
    uploads_in_flight:
      'No máximo {{limit}} envios de arquivos de uma organização podem estar em andamento ao mesmo tempo. Tente quando um terminar.',
    downloads_in_flight:
      'No máximo {{limit}} downloads de uma organização podem estar em andamento ao mesmo tempo. Tente quando um terminar.',
    examples_of_channel_in_flight:
      'No máximo {{limit}} envios de exemplos de um canal podem estar em andamento ao mesmo tempo. Tente quando um terminar.',
    examples_of_organization_in_flight:
      'No máximo {{limit}} envios de exemplos de uma organização podem estar em andamento ao mesmo tempo. Tente quando um terminar.',
    too_many_in_flight: 'Há requisições deste tipo demais em andamento no hub. Tente de novo.',
    searches_in_progress:
      'Só {{limit}} buscas de uma organização são feitas ao mesmo tempo. Tente quando uma terminar.',
    files_in_progress:
      'Os arquivos de uma organização a caminho podem ter {{limit}} bytes ao todo. Envie este de novo quando outro terminar.',
    upload_sessions_open:
      'Um canal pode ter {{limit}} sessões de envio abertas. Envie um arquivo a uma delas, ou espere que uma expire.',
    exchange_code_failed:
      'Não foi possível trocar o código do cadastro. Ele vale 30 segundos: faça o cadastro de novo.',
    check_token_failed: 'O token não dá acesso a esta conta. Depois de um cadastro: faça-o de novo e escolha a conta.',
    find_number_failed: 'Não foi possível ler os números da conta.',
    subscribe_failed: 'Não foi possível assinar os avisos da conta.',
    synchronize_failed: 'Não foi possível pedir os contatos e o histórico do aplicativo.',
    register_failed: 'Não foi possível registrar o número.',
  },
  HEADERS_TOO_LARGE: {
    headers_too_large: 'Os cabeçalhos da requisição têm mais de {{maximum}} bytes.',
  },
  INTERNAL_ERROR: {
    internal_error: 'Algo falhou do nosso lado. Informe o request_id ao relatar o problema.',
  },
  UPSTREAM_UNAVAILABLE: {
    upstream_unavailable: 'O WhatsApp não deu uma resposta utilizável. Tente de novo.',
    upstream_refused_credential: 'O WhatsApp recusou a credencial guardada do canal. Conecte o canal de novo.',
    file_without_url: 'O WhatsApp não informou a URL do arquivo.',
    step_unavailable: 'O WhatsApp não respondeu na etapa {{step}}. Nada foi alterado aqui: tente de novo.',
    payment_provider_unavailable:
      'O provedor de pagamento não respondeu. Tente de novo, com a mesma Idempotency-Key se você enviou uma.',
    payment_customer_unknown:
      'O provedor de pagamento não conhece a sua organização. Nada foi alterado. Fale com quem opera esta instalação.',
  },
  NOT_READY: {
    stopping: 'O hub está parando. Tente de novo.',
    held: 'O hub está em espera e não faz nada fora dele. Nada foi alterado. Quem opera o hub o libera: tente de novo mais tarde.',
    database_unavailable: 'O hub não consegue usar o banco de dados. Tente de novo.',
    probe_stopping: 'O hub está parando.',
    database_silent: 'O banco de dados do hub não responde.',
    database_unreachable: 'O hub não alcança o banco de dados, ou o banco não consegue trabalhar.',
    database_read_only: 'O banco de dados do hub só permite leitura.',
    database_disk_full: 'O disco do banco de dados está cheio.',
    callback_not_stored: 'O aviso não pôde ser guardado. Envie-o de novo.',
    callback_not_forwarded: 'O aviso não chegou a todas as células. Envie-o de novo.',
    prices_missing: 'Os preços ainda não foram definidos. Quem opera o hub os cria com: npm run admin -- setup-billing',
  },
  OVERLOADED: {
    work_queue_full: 'O hub tem mais trabalho do que consegue fazer agora. Nada foi alterado: tente de novo.',
    database_queue_full:
      'O hub tem mais requisições do que o banco de dados aguenta. Nada foi alterado. Tente de novo.',
    bodies_queue_full: 'O hub está lendo corpos grandes demais. Envie este de novo.',
    files_queue_full: 'O hub tem arquivos demais ao mesmo tempo. Envie este de novo.',
    mails_queue_full: 'Há e-mails demais esperando para sair. Tente de novo em um minuto.',
    outcomes_queue_full:
      'O hub não consegue registrar o resultado de envios anteriores. Nada foi enviado. Tente de novo.',
  },
}
