import type { AuditEntry } from '@hubline/sdk'
import { Button } from '../../ui/controls/button.tsx'
import { Id } from '../../ui/controls/copy.tsx'
import { Facts } from '../../ui/data/card.tsx'
import { JsonBlock } from '../../ui/data/code.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Drawer, DrawerSection } from '../../ui/overlays/drawer.tsx'
import { ActorName } from './actor-name.tsx'
import { useAuditTexts } from './audit-texts.ts'
import { ChangeList } from './changes.tsx'
import type { KnownName } from './known-names.ts'
import type { AuditSearch } from './search.ts'
import { TargetCell } from './target-cell.tsx'

type AuditDrawerProps = {
  entry: AuditEntry
  names: readonly KnownName[]
  onFilter: (change: AuditSearch) => void
  onClose: () => void
}

/** One entry whole: who, from where, on what, and what the hub noted of the change. */
export function AuditDrawer({ entry, names, onFilter, onClose }: AuditDrawerProps) {
  const t = useAuditTexts()
  const { id, action, actor, target, ip, request_id, created_at } = entry
  const { changes, ...details } = entry.details
  const actorId = actor.id
  return (
    <Drawer
      label={action}
      onClose={onClose}
      header={
        <>
          <h2 className="font-mono text-section font-semibold text-text">{action}</h2>
          <Id id={id} />
        </>
      }
      footer={
        <>
          <Button size="bar" icon="filter" onClick={() => onFilter({ action })}>
            {t('filterAction', { action })}
          </Button>
          {actorId !== null && (
            <Button size="bar" icon="filter" onClick={() => onFilter({ actor_id: actorId })}>
              {t('filterActor')}
            </Button>
          )}
          <Button size="bar" icon="filter" onClick={() => onFilter({ target_id: target.id })}>
            {t('filterTarget')}
          </Button>
        </>
      }
    >
      <DrawerSection title={t('id')}>
        <Facts
          facts={[
            [t('time'), <Time key="time" at={created_at} precision="second" />],
            [t('actor'), <ActorName key="actor" actor={actor} isWhole />],
            ...(actorId === null ? [] : [['', <Id key="actor-id" id={actorId} />] as const]),
            [t('ip'), ip ?? '–'],
            [t('target'), <TargetCell key="target-name" target={target} names={names} />],
            ['', <Id key="target" id={target.id} />],
            ...(request_id === null ? [] : [[t('request'), <Id key="request" id={request_id} />] as const]),
          ]}
        />
      </DrawerSection>
      {changes && (
        <DrawerSection title={t('changes')}>
          <ChangeList changes={changes} />
        </DrawerSection>
      )}
      {Object.keys(details).length > 0 ? (
        <DrawerSection title={t('details')}>
          <JsonBlock label={t('details')} value={details} />
        </DrawerSection>
      ) : (
        !changes && (
          <DrawerSection title={t('details')}>
            <p>{t('noDetails')}</p>
          </DrawerSection>
        )
      )}
    </Drawer>
  )
}
