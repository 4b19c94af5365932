import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  INVALID_REQUEST: {
    body_invalid: 'El cuerpo no es válido: {{path}} {{problem}}.',
    query_invalid: 'La consulta no es válida: {{path}} {{problem}}.',
    path_invalid: 'La ruta no es válida: {{path}} {{problem}}.',
    headers_invalid: 'Los encabezados no son válidos: {{path}} {{problem}}.',
    request_invalid: 'La solicitud no es válida: {{path}} {{problem}}.',
    body_not_json: 'El cuerpo no es un JSON válido.',
    callback_loop: 'Un proceso con ROLE=callbacks ya reenvió este aviso. CELLS debe nombrar solo celdas.',
    body_not_utf8: 'El cuerpo no es UTF-8 válido.',
    body_not_object: 'El cuerpo debe ser un objeto JSON.',
    body_not_accepted: 'Este endpoint no acepta cuerpo.',
    body_ended_early: 'El cuerpo terminó antes de tiempo.',
    property_repeated: 'El cuerpo repite una propiedad en el mismo objeto.',
    property_name_forbidden: 'El cuerpo tiene un nombre de propiedad prohibido: {{name}}.',
    number_rounded: 'El cuerpo tiene un número que se redondearía: {{number}}. Envía los ids como texto.',
    too_many_values: 'El cuerpo tiene más de {{limit}} valores.',
    nested_too_deeply: 'El cuerpo tiene más de {{limit}} niveles.',
    nul_character: 'El cuerpo tiene un carácter NUL (\\u0000), que no se puede guardar.',
    surrogate_half: 'El cuerpo tiene la mitad de un par sustituto, que no es un carácter.',
    content_length_wrong: 'El Content-Length no corresponde al cuerpo.',
    not_http: 'Esto no es HTTP/1.1 válido.',
    address_not_utf8: 'La ruta no es UTF-8 válido con codificación por porcentaje.',
    address_unreadable: 'La dirección no es UTF-8 válido con codificación por porcentaje.',
    address_nul_character: 'La dirección tiene un carácter NUL (%00).',
    host_missing: 'La solicitud no tiene el encabezado Host.',
    idempotency_key_repeated: 'Envía un solo encabezado Idempotency-Key.',
    credential_and_session: 'Envía una credencial Bearer o la cookie de una sesión, no ambas.',
    organization_header_invalid: 'X-Hub-Organization debe ser un uuid.',
    cursor_of_another_list: 'El cursor no es de esta lista. Empieza de nuevo sin él.',
    password_common: 'Esta contraseña está entre las primeras que prueban los atacantes. Elige otra, como una frase.',
    logo_not_image: 'Envía una imagen PNG, JPEG o WebP: cuenta el contenido del archivo, no su nombre.',
    logo_too_heavy: 'La imagen tiene {{bytes}} bytes. Envía una de {{maximum}} como máximo.',
    logo_too_large:
      'La imagen mide {{width}} × {{height}} píxeles. Envía una de {{maximum}} × {{maximum}} como máximo.',
    form_nul_character: 'El formulario tiene un carácter NUL.',
    form_field_repeated: 'Un campo aparece más de una vez en el formulario.',
    form_too_many_fields: 'El formulario tiene más de {{limit}} campos.',
    form_unreadable: 'El cuerpo no es multipart/form-data válido.',
    form_without_boundary: 'El cuerpo no es multipart/form-data válido: falta el boundary en el Content-Type.',
    form_one_file: 'El formulario acepta un archivo, en el campo {{field}}, y nada más.',
    form_one_file_beside:
      'El formulario acepta un archivo, en el campo {{field}}, junto al campo {{other}}, y nada más.',
    form_field_not_one_of: 'El campo {{field}} acepta uno de estos valores: {{values}}.',
    file_missing: 'Falta el archivo: envíalo en el campo {{field}}.',
    file_length_invalid: 'file_length debe ser la cantidad de bytes del archivo',
    file_offset_invalid: 'file_offset debe ser 0: envía el archivo completo de una vez',
    file_length_differs: 'El archivo tiene {{bytes}} bytes, y se anunciaron {{announced}}',
    parameter_not_text: '{{name}} debe ser un texto o un booleano',
    input_token_missing: 'El parámetro input_token es obligatorio',
    webhook_configuration_invalid: 'webhook_configuration debe ser un objeto',
    webhook_configuration_unknown: 'Primero crea en el hub un webhook para esta dirección',
    webhook_url_missing: 'Envía webhook_url junto con {{fields}}.',
    channel_named_twice: 'channel_ids nombra un canal dos veces.',
    other_number: 'Este canal ya se conectó antes y solo acepta el mismo número.',
    several_numbers: 'La cuenta tiene varios números. Elige uno.',
    account_without_number: 'La cuenta todavía no tiene un número.',
    number_not_of_account: 'La cuenta no tiene este número.',
    pin_required:
      'Para registrar este número se necesita un PIN de seis dígitos: el que tiene, o uno nuevo si no tiene.',
    period_reversed: '`since` debe ser anterior a `until`.',
    period_too_long: '`since` puede estar como máximo {{days}} días antes de `until`.',
    day_invalid: '`{{name}}` debe ser un día, como 2026-11-30, o una fecha y hora ISO 8601.',
    proration_date_invalid:
      'La proration_date no tiene una vista previa de los últimos diez minutos, o la suscripción se cobró después de ella. Pide otra vista previa.',
    expires_in_past: 'expires_at está en el pasado.',
    invoice_cursor_unknown: 'El proveedor de pagos ya no tiene la factura de este cursor. Empieza de nuevo sin él.',
    person_invalid: '`person` debe ser un teléfono con el código de país, o un id de usuario como BR.1234.',
    phone_invalid: '`phone` debe ser un teléfono con el código de país, como +55 11 98765-4321.',
    user_id_invalid: '`user_id` debe ser un id de usuario de WhatsApp, como BR.1234.',
    name_missing: '`name` debe tener el comienzo de un nombre o de un nombre de usuario.',
    number_end_too_short: '`number_end` debe tener {{minimum}} dígitos o más.',
    too_many_people: 'Coinciden más de {{limit}} personas. Escribe más del nombre o del número.',
    message_id_invalid: '`id` debe ser el id de un mensaje, o el id de WhatsApp, que empieza con wamid.',
    second_factor_not_begun: 'Primero empieza a activar la verificación en dos pasos.',
    second_factor_exists: 'La verificación en dos pasos ya está activa. Desactívala primero.',
    second_factor_missing: 'La verificación en dos pasos no está activa.',
    second_factor_replaced: 'Mientras tanto se creó un secreto nuevo. Empieza de nuevo.',
    second_factor_code_wrong: 'El código no es correcto. Escribe el código actual de tu aplicación de autenticación.',
    mail_code_wrong: 'El código no es correcto, ya se usó o venció. Escribe el del último correo, o pide otro.',
    setup_code_wrong: 'El código de configuración no es correcto. El hub lo escribe en su registro al iniciar.',
    account_not_created: 'No se pudo crear una cuenta con estos datos. Si ya tienes una, inicia sesión.',
    account_just_created: 'Se acaba de crear una cuenta con este correo. Intenta de nuevo con su contraseña.',
    member_already: 'Esta persona ya es miembro.',
    last_owner:
      'La última persona propietaria no puede salir ni cambiar de rol. Antes, haz propietario a otro miembro.',
    time_zone_unknown: 'No se conoce la zona horaria.',
    organization_name_wrong: 'El nombre no es el de la organización.',
    simulator_refused: '{{problem}}.',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    url_too_long: 'La URL tiene más de {{maximum}} caracteres.',
    url_character_forbidden: 'La URL tiene un espacio, un carácter de control o una barra invertida.',
    url_unreadable: 'No se puede leer la URL. Escríbela completa, como https://example.com/hooks.',
    url_not_in_full: 'Escribe la URL completa, como https://example.com/hooks.',
    url_with_credentials: 'La URL tiene un nombre de usuario o una contraseña.',
    url_of_other_scheme: 'Solo se permiten URL https.',
    url_not_https: 'Solo se permiten URL https, a menos que WEBHOOK_ALLOWED_DESTINATIONS incluya el host.',
    url_of_other_port:
      'Solo se permite el puerto 443, a menos que WEBHOOK_ALLOWED_DESTINATIONS incluya el host y el puerto.',
    host_ends_in_dot: 'El nombre del host termina en punto. Quita el punto.',
    host_invalid: 'El host de la URL no es un nombre válido.',
    host_local: 'El nombre del host es de una red local. Usa un nombre público.',
    host_unknown: 'El nombre del host no existe.',
    host_without_address: 'El nombre del host no tiene dirección.',
    host_timeout: 'El nombre del host no se resolvió a tiempo.',
    host_with_too_many_addresses: 'El nombre del host tiene demasiadas direcciones.',
    host_unresolved: 'No se pudo resolver el nombre del host.',
    address_forbidden: 'La URL lleva a una dirección local o de metadatos, lo que nunca se permite.',
    address_not_public: 'La URL lleva a una dirección que no es pública.',
  },
  INVALID_WEBHOOK: {
    channel_ids_not_empty: 'channel_ids debe estar vacío cuando all_channels es true.',
    channel_ids_empty: 'channel_ids debe nombrar al menos un canal cuando all_channels es false.',
    channel_unknown: 'channel_ids nombra un canal que no existe.',
  },
  INVALID_FIELD_MODIFIER: {
    fields_not_plain: 'Aquí, `fields` solo acepta nombres simples, sin modificadores ni llaves.',
    fields_of_account: '`fields` de una cuenta acepta {{names}}, con modificadores solo en el último.',
    fields_malformed: '`fields` está mal formado.',
    modifier_repeated: 'Cada modificador puede aparecer una sola vez.',
    modifier_unknown: 'Los modificadores permitidos son {{names}}.',
    modifier_value_invalid: 'El valor del modificador {{name}} no es válido.',
  },
  INVALID_CALL: {
    call_product_invalid: 'La llamada no es válida: messaging_product debe ser whatsapp.',
    call_id_invalid: 'La llamada no es válida: call_id debe ser un texto.',
    call_action_invalid: 'La llamada no es válida: action debe ser uno de estos valores: {{actions}}.',
    call_not_object: 'La llamada no es válida: el cuerpo debe ser un objeto JSON.',
  },
  INVALID_MEDIA: {
    media_type_not_accepted:
      'WhatsApp no acepta archivos de este tipo. El tipo se detecta por los bytes, no por el nombre.',
    example_type_not_accepted:
      'El archivo debe ser uno de {{types}}. Cuentan los bytes, no el nombre ni el tipo declarado.',
  },
  INVALID_TEMPLATE_ID: {
    template_id_not_digits: 'hsm_id solo puede tener dígitos: es el id que muestra la lista de plantillas.',
  },
  TEMPLATE_NOT_SENDABLE: {
    template_not_sendable:
      'La plantilla {{name}} ({{language}}) no se puede enviar: WhatsApp informó que está {{status}}. Envía otra, o espera a que se apruebe de nuevo.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    key_of_another_message:
      'Esta Idempotency-Key ya se usó con otro cuerpo, destinatario o ruta. Usa una nueva para cada mensaje.',
    key_of_another_request: 'Esta Idempotency-Key ya se usó con otro cuerpo. Usa una nueva para cada solicitud.',
  },
  CHANNEL_NOT_CONNECTED: {
    not_connected: 'El canal no está conectado. Conéctalo con un enlace nuevo.',
    credential_refused: 'WhatsApp ya no acepta la credencial del canal. Conecta el canal de nuevo.',
    credential_unreadable:
      'La credencial guardada del canal no se puede leer con las claves de cifrado de este hub. Dale al hub la clave con que se cifró, o conecta el canal con un enlace nuevo.',
  },
  NUMBER_ALREADY_CONNECTED: {
    number_already_connected: 'Este número ya está conectado a otro canal.',
    account_connected_elsewhere:
      'Los mensajes de este número, o los de toda su cuenta, ya llegan a otra dirección. Elimina allí el canal del número, o quita esa dirección en Meta, y conéctalo de nuevo.',
  },
  UPSTREAM_REJECTED: {
    upstream_refused: 'WhatsApp lo rechazó: {{title}}',
    upstream_refused_without_title: 'WhatsApp lo rechazó sin decir por qué.',
    hub_app_refused:
      'WhatsApp rechaza la aplicación de este hub. Quien opera el hub debe revisar UPSTREAM_APP_ID y UPSTREAM_APP_SECRET.',
    callback_url_not_accepted:
      'WhatsApp no aceptó {{url}}: {{title}}. Revisa UPSTREAM_APP_ID y UPSTREAM_APP_SECRET, y si se puede llegar a la dirección desde afuera.',
    exchange_code_failed: 'No se pudo canjear el código de registro. Vale 30 segundos: haz el registro de nuevo.',
    check_token_failed:
      'El token no da acceso a esta cuenta. Después de un registro: hazlo de nuevo y elige la cuenta.',
    find_number_failed: 'No se pudieron leer los números de la cuenta.',
    subscribe_failed: 'No se pudo suscribir el hub a los avisos de la cuenta.',
    synchronize_failed: 'No se pudieron pedir los contactos y el historial de la aplicación.',
    register_failed: 'No se pudo registrar el número.',
  },
  CHECKOUT_NOT_ALLOWED: {
    same_plan: 'Ya tienes este plan. Elige otro: {{plans}}.',
    foreign_plan: 'Tu suscripción no es de un plan de este hub. Comunícate con quien opera esta instalación.',
    subscription_ended: 'Tu suscripción terminó. Elige un plan de nuevo.',
    invoice_open: 'Primero paga la factura pendiente en el portal de pagos.',
    plan_with_fewer_connections: 'Ese plan permite hasta {{maximum}} conexiones adicionales. Reduce primero el total.',
    plan_with_fewer_channels: 'Ese plan permite {{limit}} canales, y hay {{used}} en uso. Elimina algunos primero.',
    plan_with_fewer_webhook_endpoints:
      'Ese plan permite {{limit}} webhooks, y hay {{used}} en uso. Elimina algunos primero.',
    just_paid: 'Un pago anterior acaba de hacerse. Vuelve a cargar la página.',
    checkout_ended: 'Este pago se cerró. Usa otra Idempotency-Key para uno nuevo.',
    checkout_refused: 'El proveedor de pagos rechazó el pago.',
    change_refused: 'El proveedor de pagos rechazó el cambio. Revisa la tarjeta y las facturas en el portal de pagos.',
  },
  ADDON_NOT_ALLOWED: {
    connections_of_another_plan: 'Las conexiones adicionales requieren otro plan: {{plans}}.',
    invoice_open: 'Primero paga la factura pendiente en el portal de pagos.',
    too_many_connections: 'Tu plan permite hasta {{maximum}} conexiones adicionales. Elige un total menor.',
    too_few_connections: 'Hay {{used}} canales en uso. Elimina canales primero, o elige un total mayor.',
    change_refused: 'El proveedor de pagos rechazó el cambio. Revisa la tarjeta y las facturas en el portal de pagos.',
  },
  BILLING_OFF: {
    billing_off: 'El cobro está desactivado en esta instalación: no hay límites ni nada que contratar.',
  },
  UNAUTHORIZED: {
    credential_missing: 'Se necesita una credencial. Envía Authorization: Bearer <clave de API>.',
    credential_malformed: 'Envía la credencial como Authorization: Bearer <token>.',
    credential_invalid: 'La credencial no es válida. Envía Authorization: Bearer <clave de API o token del canal>.',
    credential_in_query: 'Nunca se acepta una credencial en la URL. Envía Authorization: Bearer <token>.',
    channel_token_required:
      'La fachada solo acepta el token de un canal. Envía Authorization: Bearer <token del canal>.',
    metrics_token_required: 'Envía Authorization: Bearer <METRICS_TOKEN>.',
    session_required: 'Inicia sesión: este endpoint solo acepta una sesión del panel.',
    session_ended: 'La sesión terminó. Inicia sesión de nuevo.',
    export_session_ended: 'La sesión terminó, o ya no puede exportar.',
    password_wrong: 'El correo o la contraseña no son correctos.',
    second_factor_required: 'Escribe el código actual de tu aplicación de autenticación, o un código de recuperación.',
    account_without_organization: 'La cuenta no pertenece a ninguna organización. Pide una invitación.',
    chosen_password_wrong: 'Esta no es la contraseña que se eligió para esta cuenta.',
    verify_token_wrong: 'El token de verificación no es el de este hub.',
    callback_not_signed: 'El aviso no está firmado con el secreto de esta aplicación.',
    payment_callback_not_signed: 'El aviso no está firmado con el secreto de este endpoint.',
    graph_token_repeated: 'El token de acceso OAuth no es válido. Envía access_token una sola vez.',
    graph_token_not_in_header:
      'El token de acceso OAuth no es válido. Este hub no acepta access_token en la URL ni en formularios. Envía Authorization: Bearer <token>.',
    graph_token_missing:
      'El token de acceso OAuth no es válido. Se necesita un token de acceso: envía el token del canal.',
    graph_tokens_differ: 'El token de acceso OAuth no es válido. La solicitud tiene dos tokens de acceso distintos.',
    graph_token_of_other_kind: 'El token de acceso OAuth no es válido. Envía el token del canal, hub_ch_….',
    graph_header_repeated: 'El token de acceso OAuth no es válido. Envía un solo encabezado Authorization.',
    graph_header_malformed: 'El token de acceso OAuth no es válido. Envía el token como Authorization: Bearer <token>.',
    graph_token_in_query:
      'El token de acceso OAuth no es válido. En la URL, un token solo se acepta como access_token.',
  },
  INSUFFICIENT_SCOPE: {
    scope_missing: 'La credencial no tiene el alcance {{scope}}.',
    scopes_not_grantable: 'No puedes conceder alcances que no tienes: {{scopes}}.',
    role_too_low: 'Esto requiere el rol {{role}} o uno superior.',
    role_of_other_member: 'Tu rol no permite esto para un miembro con ese rol.',
    role_of_invitation: 'Tu rol es {{own_role}}, así que no puedes invitar a un miembro como {{role}}.',
    owner_required_for_second_factor:
      'Solo las personas propietarias deciden si todos los miembros necesitan la verificación en dos pasos.',
    channel_token_not_allowed: 'El token de un canal no permite esto. Usa una clave de API.',
  },
  TWO_FACTOR_REQUIRED: {
    second_factor_of_organization:
      'La organización exige la verificación en dos pasos a todos los miembros. Actívala en tu cuenta e inicia sesión con ella, o cambia a otra organización.',
  },
  ORIGIN_NOT_ALLOWED: {
    origin_not_allowed: 'Una solicitud con sesión debe llevar el encabezado Origin con el valor de PUBLIC_URL.',
    download_of_another_site: 'Una página de otro sitio no puede iniciar una descarga. Iníciala en el panel.',
  },
  SUBSCRIPTION_SUSPENDED: {
    subscription_suspended: 'La suscripción está suspendida por una factura sin pagar. Págala en el portal de pagos.',
  },
  QUOTA_EXCEEDED: {
    channels_of_plan: 'Tu plan permite {{limit}} canales, y hay {{used}} en uso. Elimina uno o contrata más.',
    channels_of_plan_in_sandbox:
      'Tu plan permite {{limit}} canales, y hay {{used}} en uso. Elimina uno o contrata más. En el sandbox, create-organization --plan pro crea una organización con más, y BILLING=off inicia un hub sin planes.',
    channels_of_organization: 'El límite de canales de una organización es {{limit}}. Elimina uno.',
    webhook_endpoints_of_plan: 'Tu plan permite {{limit}} webhooks, y hay {{used}} en uso. Elimina uno o contrata más.',
    webhook_endpoints_of_plan_in_sandbox:
      'Tu plan permite {{limit}} webhooks, y hay {{used}} en uso. Elimina uno o contrata más. En el sandbox, create-organization --plan pro crea una organización con más, y BILLING=off inicia un hub sin planes.',
    webhook_endpoints_of_organization: 'El límite de webhooks de una organización es {{limit}}. Elimina uno.',
    channel_ids_of_organization:
      'Los webhooks de una organización pueden listar {{limit}} channel_ids en total, y hay {{used}} en uso. Lista menos, o usa all_channels.',
    api_keys_of_organization:
      'Una organización puede tener {{limit}} claves de API activas. Revoca una que ya no se use.',
    members_of_organization:
      'Una organización puede tener {{limit}} miembros e invitaciones abiertas. Quita o revoca algunos primero.',
    organizations_of_person: 'Una persona puede pertenecer a {{limit}} organizaciones. Sal de una primero.',
    listeners_of_organization:
      'Una organización puede tener {{limit}} terminales a la escucha. Elimina una, o espera a que venza una sin conexión.',
    streams_of_session: 'Una sesión puede tener {{limit}} conexiones en vivo. Cierra una.',
    streams_of_person: 'Una persona puede tener {{limit}} conexiones en vivo. Cierra una.',
  },
  NOT_FOUND: {
    path_not_found: 'No hay nada en esta ruta.',
    path_too_long: 'No se encontró.',
    account_not_found: 'No se encontró la cuenta.',
    active_webhook_not_found: 'No se encontró el webhook activo.',
    api_key_not_found: 'No se encontró la clave de API.',
    asset_not_found: 'No se encontró el archivo de la página.',
    channel_not_found: 'No se encontró el canal.',
    logo_not_found: 'La organización no tiene logo.',
    connect_link_not_found: 'No se encontró el enlace de conexión.',
    deletion_not_found: 'No se encontró la eliminación.',
    delivery_not_found: 'No se encontró la entrega.',
    delivery_not_final: 'La entrega está en {{status}}. Se puede repetir cuando esté en succeeded, dead o canceled.',
    delivery_not_in_retry: 'La entrega está en {{status}}. Solo una entrega en retry se puede intentar ahora.',
    event_erased: 'El evento de la entrega se borró junto con la persona. La entrega no se puede repetir.',
    event_past_retention: 'El evento de la entrega superó su plazo de conservación. La entrega no se puede repetir.',
    erasure_not_found: 'No se encontró la solicitud de borrado.',
    file_not_found: 'No se encontró el archivo.',
    invitation_not_found: 'No se encontró la invitación.',
    link_not_found: 'No se encontró el enlace.',
    inspector_not_found: 'No se encontró el inspector.',
    inspector_off: 'Este hub no tiene inspectores: funciona con INSPECTOR=off.',
    listener_not_found: 'No se encontró la terminal a la escucha.',
    member_not_found: 'No se encontró el miembro.',
    message_not_found: 'No se encontró el mensaje.',
    organization_not_found: 'No se encontró la organización.',
    page_not_found: 'No se encontró la página.',
    payment_callback_not_found: 'No se encontró el aviso de pago.',
    qr_code_not_found: 'No se encontró el código QR.',
    resource_not_found: 'No se encontró el recurso.',
    sandbox_not_found: 'No se encontró el sandbox.',
    session_not_found: 'No se encontró la sesión.',
    upload_session_not_found: 'No se encontró la sesión de carga.',
    webhook_not_found: 'No se encontró el webhook.',
    no_mail: 'Esta instalación no envía correos.',
    no_mail_for_reset: 'Esta instalación no envía correos. Pide a quien la opera que ejecute: {{command}}',
    sign_up_closed: 'El registro está cerrado aquí. Pide una invitación.',
    simulator_not_found: '{{problem}}.',
  },
  METHOD_NOT_ALLOWED: {
    method_not_allowed: 'Esta ruta solo acepta {{methods}}.',
  },
  REQUEST_TIMEOUT: {
    request_too_slow: 'La solicitud no llegó a tiempo.',
    body_too_slow: 'El cuerpo no llegó a tiempo.',
    file_too_slow: 'El archivo dejó de llegar.',
    export_too_slow: 'La exportación tardó demasiado. Exporta menos de una vez, o lee más rápido.',
  },
  CONFLICT: {
    email_not_verified: 'Primero verifica tu correo. Solo entonces puedes activar la verificación en dos pasos.',
    email_already_verified: 'El correo ya está verificado.',
    second_factor_of_organization:
      'La organización {{organization}} exige la verificación en dos pasos a todos los miembros. Sal de ella, o pide a una persona propietaria que cambie la configuración.',
    own_second_factor_missing:
      'Primero activa la verificación en dos pasos en tu cuenta, y luego exígela a todos los miembros.',
    subscription_renews:
      'Hay una suscripción de pago activa. Cancélala primero en el portal de pagos y luego elimina la organización.',
  },
  OPERATION_IN_PROGRESS: {
    send_in_progress:
      'Un envío con esta Idempotency-Key sigue en curso. Repite la solicitud más tarde con la misma clave.',
    request_in_progress: 'Una solicitud con esta Idempotency-Key sigue en curso. Reintenta con la misma clave.',
    subscription_change_in_progress: 'Otro cambio de la suscripción está en curso. Intenta de nuevo.',
    link_in_use: 'Este enlace se está usando en este momento. Espera un poco.',
    export_in_progress: 'Ya hay una exportación de esta organización en curso. Empieza otra cuando termine.',
    erasures_in_progress:
      'Hay {{limit}} solicitudes de borrado de esta organización en curso. Haz otra cuando termine una.',
  },
  SEND_RESULT_UNKNOWN: {
    send_result_unknown:
      'No se sabe si este mensaje se envió. Búscalo en el registro de mensajes, o repite la solicitud con la misma clave, que nunca envía dos veces. Otra clave puede hacerlo.',
  },
  CONNECT_LINK_USED: {
    connect_link_used: 'Este enlace ya se usó. Pide otro.',
    reset_link_used: 'Este enlace ya se usó. Pide otro.',
    billing_link_used: 'Este enlace ya se usó o venció. Pide otro.',
  },
  CONNECT_LINK_EXPIRED: {
    connect_link_expired: 'Este enlace venció. Pide otro.',
    connect_link_expired_in_use: 'El enlace venció mientras se usaba. Pide otro.',
    reset_link_expired: 'Este enlace venció, o lo reemplazó otro o un cambio de la contraseña. Pide otro.',
  },
  PAYLOAD_TOO_LARGE: {
    body_too_large: 'El cuerpo es demasiado grande.',
    body_larger_than: 'El cuerpo tiene más de {{maximum}} bytes.',
  },
  MEDIA_TOO_LARGE: {
    file_too_large: 'Un archivo de tipo {{type}} puede tener {{maximum}} bytes como máximo.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    json_required: 'Envía el cuerpo como Content-Type: application/json.',
    form_required: 'Envía el archivo como Content-Type: multipart/form-data.',
    encoding_not_accepted: 'Envía el cuerpo tal como es, sin Content-Encoding.',
  },
  RANGE_NOT_SATISFIABLE: {
    range_not_satisfiable: 'El archivo no tiene bytes en este intervalo.',
  },
  RATE_LIMITED: {
    too_many_requests: 'Demasiadas solicitudes. Intenta de nuevo en {{seconds}} segundos.',
    upstream_throttled: 'WhatsApp está limitando este número o esta cuenta. Intenta más tarde.',
    lists_in_flight:
      'Como máximo {{limit}} listas grandes de una organización pueden estar en curso a la vez. Intenta cuando termine una.',
    uploads_in_flight:
      'Como máximo {{limit}} cargas de una organización pueden estar en curso a la vez. Intenta cuando termine una.',
    downloads_in_flight:
      'Como máximo {{limit}} descargas de una organización pueden estar en curso a la vez. Intenta cuando termine una.',
    examples_of_channel_in_flight:
      'Como máximo {{limit}} cargas de ejemplos de un canal pueden estar en curso a la vez. Intenta cuando termine una.',
    examples_of_organization_in_flight:
      'Como máximo {{limit}} cargas de ejemplos de una organización pueden estar en curso a la vez. Intenta cuando termine una.',
    too_many_in_flight: 'Hay demasiadas solicitudes de este tipo en curso en el hub. Intenta de nuevo.',
    searches_in_progress: 'Solo {{limit}} búsquedas de una organización se hacen a la vez. Intenta cuando termine una.',
    files_in_progress:
      'Los archivos de una organización que están en camino pueden tener {{limit}} bytes en total. Envía este de nuevo cuando termine otro.',
    upload_sessions_open:
      'Un canal puede tener {{limit}} sesiones de carga abiertas. Envía un archivo a una de ellas, o espera a que venza una.',
    exchange_code_failed: 'No se pudo canjear el código de registro. Vale 30 segundos: haz el registro de nuevo.',
    check_token_failed:
      'El token no da acceso a esta cuenta. Después de un registro: hazlo de nuevo y elige la cuenta.',
    find_number_failed: 'No se pudieron leer los números de la cuenta.',
    subscribe_failed: 'No se pudo suscribir el hub a los avisos de la cuenta.',
    synchronize_failed: 'No se pudieron pedir los contactos y el historial de la aplicación.',
    register_failed: 'No se pudo registrar el número.',
  },
  HEADERS_TOO_LARGE: {
    headers_too_large: 'Los encabezados de la solicitud tienen más de {{maximum}} bytes.',
  },
  INTERNAL_ERROR: {
    internal_error: 'Algo falló de nuestro lado. Indica el request_id cuando lo reportes.',
  },
  UPSTREAM_UNAVAILABLE: {
    upstream_unavailable: 'WhatsApp no dio una respuesta utilizable. Intenta de nuevo.',
    upstream_refused_credential: 'WhatsApp rechazó la credencial guardada del canal. Conecta el canal de nuevo.',
    file_without_url: 'WhatsApp no devolvió la URL del archivo.',
    step_unavailable: 'WhatsApp no respondió en el paso {{step}}. Aquí no cambió nada: intenta de nuevo.',
    payment_provider_unavailable:
      'El proveedor de pagos no respondió. Reintenta, con la misma Idempotency-Key si enviaste una.',
    payment_customer_unknown:
      'El proveedor de pagos no conoce tu organización. No cambió nada. Comunícate con quien opera esta instalación.',
  },
  NOT_READY: {
    stopping: 'El hub se está deteniendo. Intenta de nuevo.',
    held: 'El hub está en espera y no hace nada fuera de él. No cambió nada. Quien lo opera lo libera: intenta de nuevo más tarde.',
    database_unavailable: 'El hub no puede usar su base de datos. Intenta de nuevo.',
    probe_stopping: 'El hub se está deteniendo.',
    database_silent: 'La base de datos del hub no responde.',
    database_unreachable: 'El hub no llega a su base de datos, o la base de datos no puede trabajar.',
    database_read_only: 'La base de datos del hub es de solo lectura.',
    database_disk_full: 'El disco de la base de datos está lleno.',
    callback_not_stored: 'El aviso no se pudo guardar. Envíalo de nuevo.',
    callback_not_forwarded: 'El aviso no llegó a todas las celdas. Envíalo de nuevo.',
    prices_missing:
      'Los precios aún no están definidos. Quien opera el hub los crea con: npm run admin -- setup-billing',
  },
  OVERLOADED: {
    work_queue_full: 'El hub tiene más trabajo del que puede hacer en este momento. No cambió nada: intenta de nuevo.',
    database_queue_full:
      'El hub tiene más solicitudes de las que su base de datos soporta. No cambió nada. Intenta de nuevo.',
    bodies_queue_full: 'El hub está leyendo demasiados cuerpos grandes. Envía este de nuevo.',
    files_queue_full: 'El hub tiene demasiados archivos a la vez. Envía este de nuevo.',
    mails_queue_full: 'Hay demasiados correos en espera. Intenta de nuevo en un minuto.',
    outcomes_queue_full:
      'El hub no puede registrar el resultado de envíos anteriores. No se envió nada. Intenta de nuevo.',
  },
}
