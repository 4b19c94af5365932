import { PUBLISHED } from '@hubline/locales/published.ts'
import { useApiExample, writeCurl, writeProgram } from '../../../lib/api-example.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { Card, Page } from '../../../ui/data/card.tsx'
import { CodeBlock, CodeTabs } from '../../../ui/data/code.tsx'
import { useToolsTexts } from './tools-texts.ts'

const FIRST_CALL = {
  method: 'GET',
  path: '/api/v1/channels',
  sdk: 'for await (const channel of hub.channels.list()) console.log(channel.id, channel.name)',
} as const
const INSTALL = `npm install ${PUBLISHED ? '@hubline/sdk' : '<clone>/packages/hubline-sdk-0.1.0.tgz'}`
const LOGIN = `hubline login --url ${location.origin}\nhubline status`
const LISTEN = 'hubline listen --forward-to http://localhost:3000/hook'
const MCP = '{ "mcpServers": { "hubline": { "command": "hubline", "args": ["mcp"] } } }'
const GUIDES = ['quick-start.md', 'typed-clients.md', 'cli.md', 'receiving-webhooks.md', 'errors-and-limits.md']

export function ToolsTab() {
  const t = useToolsTexts()
  useApiExample(FIRST_CALL)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Page>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="max-w-2xl">{t('subtitle')}</p>
          <ButtonLink icon="key" to="/api-keys" search={{ dialog: 'create' }}>
            {t('newKey')}
          </ButtonLink>
        </div>
        <Card title={t('sdk')}>
          <Command title={t('install')} code={INSTALL} text={PUBLISHED ? '' : t('installText')} />
          <h3 className="mt-5 mb-2 font-medium text-text">{t('firstCall')}</h3>
          <CodeTabs
            label={t('firstCall')}
            samples={{ TypeScript: writeProgram(FIRST_CALL.sdk), curl: writeCurl(FIRST_CALL) }}
          />
        </Card>
        <Card title={t('cli')}>
          <Command title={t('signIn')} code={LOGIN} text={t('cliText')} />
          <Command title={t('listen')} code={LISTEN} text={t('listenText')} />
          <Command title={t('mcp')} code={MCP} text={t('mcpText')} />
        </Card>
        <Card title={t('guides')}>
          <p className="mb-2">{t('guidesText')}</p>
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {GUIDES.map((guide) => (
              <li key={guide}>
                <code className="font-mono text-meta">docs/guides/{guide}</code>
              </li>
            ))}
          </ul>
        </Card>
      </Page>
    </div>
  )
}

function Command({ title, code, text }: { title: string; code: string; text: string }) {
  return (
    <section className="not-first:mt-5">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-text">{title}</h3>
        <CopyTextButton text={code} />
      </div>
      <CodeBlock code={code} label={title} />
      <p className="mt-2 text-text-3">{text}</p>
    </section>
  )
}
