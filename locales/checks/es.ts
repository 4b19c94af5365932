import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  found: {
    token_accepted: 'WhatsApp acepta la credencial guardada.',
    token_refused: 'WhatsApp ya no acepta la credencial.',
    token_of_another_app: 'La credencial se emitió para otra aplicación.',
    hub_app_refused: 'WhatsApp rechaza la aplicación de este hub.',
    token_unreadable: 'No se puede descifrar la credencial guardada.',
    never_connected: 'El canal nunca se conectó.',
    no_number: 'Todavía no hay un número.',
    no_account: 'Todavía no hay una cuenta.',
    no_credential: 'No se puede comprobar sin una credencial.',
    number_connected: 'El número está registrado y conectado.',
    number_not_connected: 'El número está {{status}} en WhatsApp.',
    number_restricted: 'El número está {{status}} en WhatsApp.',
    number_of_another_channel: 'El número ahora está conectado a otro canal.',
    subscribed: 'La aplicación del hub recibe los avisos de la cuenta.',
    not_subscribed: 'El hub no recibe los avisos de la cuenta.',
    callbacks_to_cell: 'Los mensajes del número llegan a esta celda ({{cell}}), en {{url}}.',
    callbacks_to_app:
      'Los mensajes del número llegan a la dirección de la aplicación del hub, {{url}}, y no directamente a esta celda ({{cell}}).',
    callbacks_elsewhere: 'Los mensajes del número llegan a {{url}} y no a esta celda ({{cell}}).',
    no_callback: 'Todavía no llegó ningún aviso de WhatsApp para la cuenta de este canal.',
    callback_verified: 'El último aviso de WhatsApp ({{at}}) tenía una firma válida.',
    callbacks_refused: 'Hubo avisos de esta cuenta con una firma incorrecta: {{refused}}. El último: {{at}}.',
    endpoints_active: 'Webhooks activos que reciben este canal: {{active}}. Terminales a la escucha: {{listeners}}.',
    endpoints_paused:
      'Webhooks de este canal en pausa: {{names}}. Activos: {{active}}. Terminales a la escucha: {{listeners}}.',
    endpoints_all_paused:
      'Webhooks de este canal en pausa: {{names}}. Activos: {{active}}. Terminales a la escucha: {{listeners}}.',
    no_endpoint: 'Ningún webhook activo recibe este canal.',
    upstream_refused: 'WhatsApp rechazó la consulta de este canal.',
    upstream_unavailable: 'WhatsApp no respondió.',
  },
  remedies: {
    token_refused: 'Crea un enlace de conexión nuevo y pide a quien tiene el número que lo use.',
    token_of_another_app: 'Crea un enlace de conexión nuevo y pide a quien tiene el número que lo use.',
    hub_app_refused: 'Pide a quien opera el hub que revise UPSTREAM_APP_ID y UPSTREAM_APP_SECRET.',
    token_unreadable:
      'Dale al hub la clave de cifrado con que se guardó. Si la clave se perdió, crea un enlace de conexión nuevo y pide a quien tiene el número que lo use.',
    never_connected: 'Abre el enlace de conexión del canal o crea uno nuevo.',
    number_not_connected: 'Crea un enlace de conexión nuevo y pide a quien tiene el número que lo use.',
    number_restricted: 'Mira en la página del número en el Administrador de WhatsApp lo que Meta exige.',
    number_of_another_channel:
      'Usa el canal que tiene el número, o desconecta el número ahí y conecta este canal de nuevo.',
    not_subscribed: 'El hub vuelve a suscribirse solo en menos de una hora; conecta el canal de nuevo para hacerlo ya.',
    callbacks_to_app:
      'El hub cambia la dirección solo en menos de una hora; conecta el canal de nuevo para hacerlo ya.',
    callbacks_elsewhere: 'Usa el canal del número allí, o elimínalo allí y conecta este canal de nuevo.',
    callbacks_refused:
      'Pregunta a quien opera el hub si UPSTREAM_APP_SECRET es el secreto de su aplicación en Meta. También cuentan las solicitudes de otros clientes.',
    endpoints_all_paused: 'Crea un webhook, activa uno que esté en pausa o agrega este canal a uno de ellos.',
    no_endpoint: 'Crea un webhook, activa uno que esté en pausa o agrega este canal a uno de ellos.',
    upstream_refused: 'Crea un enlace de conexión nuevo y pide a quien tiene el número que lo use.',
    upstream_unavailable: 'No se conoce ninguna falla. Haz el diagnóstico de nuevo en unos minutos.',
  },
}
