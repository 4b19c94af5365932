import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subtitle: 'De cero a la primera llamada, con la dirección de este hub. La clave se crea en la página Claves de API.',
  newKey: 'Nueva clave',
  sdk: 'SDK de TypeScript',
  install: 'Instalar',
  installText: 'Ningún registro tiene el paquete todavía. En un clon del repositorio, npm run pack crea el archivo.',
  firstCall: 'Primera llamada',
  cli: 'Línea de comandos',
  cliText: 'En un clon del repositorio se ejecuta con npx hubline. login pide la clave, que no se muestra.',
  signIn: 'Iniciar sesión',
  listen: 'Webhooks en tu propia máquina',
  listenText:
    'No necesita una dirección pública. La clave necesita webhooks:write y messages:read; listen muestra el secreto con el que se firman las entregas.',
  mcp: 'Herramientas para un asistente (MCP)',
  mcpText:
    'Solo lee, y no muestra ni lo que dicen los mensajes ni los nombres de los contactos. hubline mcp --help indica las opciones que permiten más.',
  guides: 'Guías',
  guidesText: 'Están en la carpeta docs/guides del repositorio, en la misma versión que este hub:',
}
