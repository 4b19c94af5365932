import type { Channel, RegenerateToken } from '@hubline/sdk/console'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CHANNEL_TOKEN_SCOPES, NEW_TOKEN_SCOPES } from '../../../../api/generated/definitions.gen.ts'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { useApiExample } from '../../../../lib/api-example.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CheckField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx'
import { SecretSheet } from '../../../../ui/overlays/secret-sheet.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { useTokenTexts } from './token-texts.ts'

type TokenScope = (typeof CHANNEL_TOKEN_SCOPES)[number]

/** The hub does not tell which scopes a token has, so that keeping them is a choice of its own. */
export function RegenerateCard({ channel }: { channel: Channel }) {
  const t = useTokenTexts()
  const refusal = useRefusal('channels:write')
  const [scopes, setScopes] = useState<readonly TokenScope[]>()
  const [isAsking, setAsking] = useState(false)
  const [token, setToken] = useState<string>()
  const body: RegenerateToken = scopes === undefined ? {} : { scopes: [...scopes] }
  useApiExample({
    method: 'POST',
    path: `/api/v1/channels/${channel.id}/regenerate-token`,
    body,
    sdk: `const { token } = await hub.channels.regenerateToken('${channel.id}', ${JSON.stringify(body)})`,
  })
  const regenerate = useMutation({
    mutationFn: () => hub.channels.regenerateToken(channel.id, body),
    onSuccess(created) {
      setAsking(false)
      setToken(created.token)
    },
  })

  return (
    <Card title={t('title')}>
      <div className="flex flex-col items-start gap-4">
        <p>{t('text')}</p>
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        <Button
          icon="refresh"
          reason={refusal ?? (scopes?.length === 0 ? t('none') : undefined)}
          onClick={() => setAsking(true)}
        >
          {t('regenerate')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('regenerateTitle', { name: channel.name })}
          action={t('regenerate')}
          isDanger
          isBusy={regenerate.isPending}
          error={regenerate.error && <FailureNotice error={regenerate.error} />}
          onConfirm={() => regenerate.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('regenerateText')}</p>
        </ConfirmDialog>
      )}
      {token !== undefined && (
        <SecretSheet
          title={t('newTitle', { name: channel.name })}
          label={t('title')}
          purpose={t('purpose')}
          secret={token}
          env={{ name: 'HUBLINE_CHANNEL_TOKEN' }}
          onDone={() => setToken(undefined)}
        />
      )}
    </Card>
  )
}

type ScopeChoiceProps = {
  scopes: readonly TokenScope[] | undefined
  onChange: (scopes: readonly TokenScope[] | undefined) => void
}

function ScopeChoice({ scopes, onChange }: ScopeChoiceProps) {
  const t = useTokenTexts()
  return (
    <fieldset className="flex w-full flex-col gap-2">
      <legend className="mb-1 font-medium text-text">{t('scopes')}</legend>
      <p className="text-text-3">{t('scopesText')}</p>
      <CheckField
        type="radio"
        name="scopes"
        label={t('keep')}
        checked={scopes === undefined}
        onChange={() => onChange(undefined)}
      />
      <CheckField
        type="radio"
        name="scopes"
        label={t('choose')}
        checked={scopes !== undefined}
        onChange={() => onChange(NEW_TOKEN_SCOPES)}
      />
      {scopes !== undefined && (
        <div className="ml-6 grid grid-cols-2 gap-x-6 gap-y-2 max-tablet:grid-cols-1">
          {CHANNEL_TOKEN_SCOPES.map((scope) => (
            <CheckField
              key={scope}
              label={<code className="font-mono text-meta">{scope}</code>}
              hint={t(`scope.${scope}`)}
              checked={scopes.includes(scope)}
              onChange={(event) =>
                onChange(event.target.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
