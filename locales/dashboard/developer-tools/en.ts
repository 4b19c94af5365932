export const en = {
  subtitle: 'Make your first call with the address of this hub. Create a key on the API keys page.',
  newKey: 'New key',
  sdk: 'TypeScript SDK',
  install: 'Install',
  installText: 'No registry has the package yet. In a clone of the repository, npm run pack writes the file.',
  firstCall: 'First call',
  cli: 'Command line',
  cliText: 'Run it with npx hubline in a clone of the repository. login asks for the key and does not show it.',
  signIn: 'Sign in',
  listen: 'Webhooks on your own machine',
  listenText:
    'You don’t need a public address. The key needs webhooks:write and messages:read. listen prints the secret that signs the deliveries.',
  mcp: 'Tools for an assistant (MCP)',
  mcpText:
    'It is read-only and shows neither message contents nor contact names. hubline mcp --help lists the options that allow more.',
  guides: 'Guides',
  guidesText: 'They are in the folder docs/guides of the repository, in the same version as this hub:',
} as const
