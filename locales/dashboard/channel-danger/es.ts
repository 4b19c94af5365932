import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Eliminar este canal',
  undone: 'No se puede deshacer.',
  intro: 'En el momento:',
  'consequence.1': 'el canal desaparece de la API y del panel, y libera su lugar en el plan;',
  'consequence.2': 'se revoca su token;',
  'consequence.3': 'sus enlaces de conexión dejan de funcionar;',
  'consequence.4': 'se quita de tus webhooks;',
  'consequence.5': 'se borra la credencial de WhatsApp guardada.',
  keep: 'El número sigue registrado en WhatsApp, salvo que elijas lo contrario.',
  deregister: 'Anular también el registro del número en WhatsApp',
  deregisterHint:
    'Solo este número; los demás de la cuenta siguen funcionando. Para volver a usarlo habrá que registrarlo con su PIN de dos pasos. Si WhatsApp se niega, el canal se elimina de todos modos y el registro de auditoría lo anota como channel.deregister_failed.',
  delete: 'Eliminar el canal',
  ask: '¿Eliminar {{name}}?',
  askKeep: 'El número sigue registrado en WhatsApp.',
  askDeregister: 'Se anula el registro del número {{number}} en WhatsApp.',
  'result.feito': 'El canal se eliminó y se anuló el registro de su número.',
  'result.falhou': 'El canal se eliminó. WhatsApp se negó a anular el registro del número: sigue registrado.',
  'result.nao-solicitado': 'El canal se eliminó.',
  'result.sem-numero': 'El canal se eliminó. Nunca tuvo número.',
  'result.sem-credencial': 'El canal se eliminó. No se puede leer su credencial: el número sigue registrado.',
  deleted: 'Canal eliminado: {{name}}',
  toList: 'Ir a los canales',
}
