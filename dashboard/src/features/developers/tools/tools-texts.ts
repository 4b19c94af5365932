import { defineTexts } from '../../../lib/texts.ts'

export const useToolsTexts = defineTexts(
  'developer-tools',
  {
    subtitle: 'From nothing to a first call, with the address of this hub. A key comes from the page API keys.',
    newKey: 'New key',
    sdk: 'TypeScript SDK',
    install: 'Install',
    installText:
      'Where no registry has the package, build it in a clone of the repository: npm run build -w sdk, then npm install <clone>/sdk/dist.',
    firstCall: 'First call',
    cli: 'Command line',
    cliText: 'In a clone of the repository npx hubline runs it. login asks for the key, which is not shown.',
    signIn: 'Sign in',
    listen: 'Webhooks on your own machine',
    listenText:
      'Needs no public address. The key needs webhooks:write and messages:read; listen prints the secret with which deliveries are signed.',
    mcp: 'Tools for an assistant (MCP)',
    mcpText:
      'It only reads, and shows neither what messages say nor the names of contacts. hubline mcp --help names the options that allow more.',
    guides: 'Guides',
    guidesText: 'They are in the folder docs/guides of the repository, of the same version as this hub:',
  },
  {
    subtitle: 'Do zero à primeira chamada, com o endereço deste hub. A chave vem da página Chaves de API.',
    newKey: 'Nova chave',
    sdk: 'SDK de TypeScript',
    install: 'Instalar',
    installText:
      'Onde nenhum registro tem o pacote, monte-o em um clone do repositório: npm run build -w sdk, depois npm install <clone>/sdk/dist.',
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
  },
)
