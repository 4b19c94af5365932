import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  4: {
    title: 'La aplicación hace demasiadas llamadas',
    remedy: 'El límite suma todos los canales de la aplicación de Meta. Envía más despacio e intenta más tarde.',
  },
  10: {
    title: 'Falta un permiso',
    remedy: 'El token no permite esto. Conecta el canal de nuevo y concede todos los permisos.',
  },
  33: {
    title: 'El número ya no existe',
    remedy: 'Se eliminó de su cuenta de WhatsApp. Conecta el canal a otro número.',
  },
  100: { title: 'Un valor no es válido', remedy: 'Compara los campos de la solicitud con los detalles del error.' },
  190: {
    title: 'El token de acceso ya no es válido',
    remedy: 'Conecta el canal de nuevo; nada más impide los envíos.',
  },
  368: {
    title: 'Bloqueo por infringir una política',
    remedy: 'Lee el aviso en la cuenta de Meta y pide una revisión ahí.',
  },
  80007: {
    title: 'La cuenta hace demasiadas llamadas',
    remedy: 'Todos los números de la cuenta comparten este límite. Envía más despacio e intenta más tarde.',
  },
  130403: {
    title: 'La empresa bloqueó a esta persona',
    remedy: 'Desbloquea a la persona antes de volver a escribirle.',
  },
  130429: {
    title: 'Demasiados mensajes por segundo',
    remedy: 'El número llegó a su capacidad máxima. Reparte los envíos en más tiempo.',
  },
  130472: {
    title: 'Retenido por un experimento de Meta',
    remedy: 'La persona está en un grupo de prueba sin mensajes de marketing. No repitas el envío.',
  },
  130497: {
    title: 'No se permite en este país',
    remedy: 'La cuenta no puede escribir a personas de ahí. Revisa sus restricciones en Meta.',
  },
  131000: {
    title: 'Meta falló sin dar un motivo',
    remedy: 'Envíalo de nuevo en unos minutos. Si sigue fallando, revisa la página de estado de Meta.',
  },
  131005: { title: 'Acceso denegado', remedy: 'Se retiró un permiso. Conecta el canal de nuevo.' },
  131008: { title: 'Falta un campo', remedy: 'Agrega el campo que nombran los detalles.' },
  131009: { title: 'Un campo tiene un valor incorrecto', remedy: 'Corrige el campo que nombran los detalles.' },
  131016: { title: 'Meta no está disponible', remedy: 'Envíalo de nuevo en unos minutos.' },
  131021: { title: 'El número se escribió a sí mismo', remedy: 'Elige un destinatario distinto del número del canal.' },
  131026: {
    title: 'No se pudo entregar el mensaje',
    remedy:
      'La persona no tiene WhatsApp, usa una versión antigua o no aceptó los términos. Intenta otro medio de contacto.',
  },
  131030: {
    title: 'El destinatario no está en la lista de prueba',
    remedy: 'Un número de prueba solo escribe a números agregados en Meta.',
  },
  131031: {
    title: 'La cuenta está bloqueada',
    remedy: 'Meta la bloqueó por una infracción o por un PIN incorrecto. Resuélvelo en la cuenta de Meta.',
  },
  131037: {
    title: 'El nombre para mostrar no está aprobado',
    remedy: 'Envía a Meta un nombre para mostrar del número y espera su aprobación.',
  },
  131042: {
    title: 'Un problema con el método de pago',
    remedy: 'Revisa la tarjeta, el crédito y la moneda de la cuenta de WhatsApp en Meta.',
  },
  131047: {
    title: 'Fuera de la ventana de 24 h',
    remedy: 'Pasaron más de 24 horas desde que la persona escribió. Envía una plantilla.',
  },
  131048: {
    title: 'Limitado por spam',
    remedy: 'Muchas personas denunciaron o bloquearon el número. Envía menos, y solo a quienes lo pidieron.',
  },
  131049: {
    title: 'Limitado por Meta para esta persona',
    remedy: 'La persona recibe muchos mensajes de marketing. Espera al menos 24 horas antes de enviarle otro.',
  },
  131050: {
    title: 'La persona dejó de recibir marketing',
    remedy: 'Respeta su decisión: no le envíes plantillas de marketing.',
  },
  131051: {
    title: 'Este tipo de mensaje no se acepta',
    remedy: 'Envía un texto, un archivo, una plantilla u otro tipo de la documentación.',
  },
  131052: {
    title: 'El archivo de la persona no se pudo descargar',
    remedy: 'Pide a la persona que lo envíe de nuevo.',
  },
  131053: {
    title: 'El archivo no se pudo cargar',
    remedy: 'Revisa su tipo, su tamaño y que su dirección sea pública.',
  },
  131056: {
    title: 'Demasiados mensajes a una persona',
    remedy: 'Espera unos segundos antes del próximo mensaje a la misma persona.',
  },
  131057: {
    title: 'La cuenta está en mantenimiento',
    remedy: 'Intenta de nuevo en un minuto; puede estar cambiando la capacidad del número.',
  },
  131063: {
    title: 'Las plantillas de marketing están desactivadas',
    remedy: 'Actívalas en la cuenta de Meta, o envía otra categoría.',
  },
  132000: {
    title: 'Cantidad incorrecta de parámetros',
    remedy: 'Pasa a la plantilla tantos parámetros como variables tiene.',
  },
  132001: { title: 'La plantilla no existe', remedy: 'Revisa su nombre, su idioma y que esté aprobada.' },
  132005: { title: 'El texto de la plantilla es demasiado largo', remedy: 'Acorta los valores de sus variables.' },
  132007: {
    title: 'La plantilla infringe una regla de formato',
    remedy: 'Busca saltos de línea, tabulaciones o muchos espacios en los valores.',
  },
  132012: {
    title: 'Un parámetro tiene un formato incorrecto',
    remedy: 'Compara los tipos y nombres de los parámetros con la plantilla.',
  },
  132015: { title: 'La plantilla está en pausa', remedy: 'Bajó su calidad. Espera el fin de la pausa y mejórala.' },
  132016: { title: 'La plantilla está desactivada', remedy: 'Se pausó demasiadas veces. Crea otra.' },
  133010: { title: 'El número no está registrado', remedy: 'Haz el diagnóstico del canal, o conéctalo de nuevo.' },
  135000: { title: 'Meta no entendió la solicitud', remedy: 'Compara el mensaje con la documentación de su tipo.' },
}
