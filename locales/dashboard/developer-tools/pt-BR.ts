import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subtitle: 'Do zero à primeira chamada, com o endereço deste hub. A chave vem da página Chaves de API.',
  newKey: 'Nova chave',
  sdk: 'SDK de TypeScript',
  install: 'Instalar',
  installText: 'Nenhum registro tem o pacote ainda. Em um clone do repositório, npm run pack grava o arquivo.',
  firstCall: 'Primeira chamada',
  cli: 'Linha de comando',
  cliText: 'Em um clone do repositório, npx hubline a executa. login pede a chave, que não aparece na tela.',
  signIn: 'Entrar',
  listen: 'Webhooks na sua própria máquina',
  listenText:
    'Não precisa de endereço público. A chave precisa de webhooks:write e messages:read; listen mostra o segredo com que as entregas são assinadas.',
  mcp: 'Ferramentas para um assistente (MCP)',
  mcpText:
    'Ele só lê, e não mostra o texto das mensagens nem os nomes dos contatos. hubline mcp --help diz quais opções permitem mais.',
  guides: 'Guias',
  guidesText: 'Ficam na pasta docs/guides do repositório, da mesma versão deste hub:',
}
