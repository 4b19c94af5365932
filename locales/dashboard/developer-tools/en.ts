export const en = {
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
} as const
