import type { TestHub } from '../../server/test/hub.ts'

type NewEvent = Parameters<TestHub['context']['publish']>[1][number]

/** Publishes events of an organization in one transaction. */
export function createPublisher(hub: TestHub, { organizationId }: { organizationId: string }) {
  async function publish(...events: { kind?: NewEvent['kind']; data?: object }[]): Promise<void> {
    const common = { organizationId, channelId: null, kind: 'account.update', data: {} } as const
    await hub.sql.begin((tx) =>
      hub.context.publish(
        tx,
        events.map((event) => ({ ...common, ...event })),
      ),
    )
  }
  return {
    publish,
    publishMany: (count: number) => publish(...Array.from({ length: count }, () => ({}))),
  }
}
