import type { Clock } from '../../../kernel/clock.ts'
import { BEFORE_ALL_DELIVERIES, type DeliveryPlace } from '../../webhooks/delivery-place.ts'
import { removeFromPayload } from './payload.ts'
import { addUserIds, concernsPerson, listIdentifiers, type Person } from './person.ts'
import type { ErasurePreview } from './schemas.ts'
import { countDeliveries, findWindow, type StageDependencies, toHorizon } from './stages.ts'

/** A client waits for the answer. */
const PREVIEW_MS_MAX = 10_000

type Dependencies = Pick<StageDependencies, 'messageErasure' | 'eventLog' | 'deliveryErasure' | 'retentionDays'> & {
  now: Clock
}

/** Counts what an erasure would erase now. Nothing changes. */
export function createErasurePreviews(dependencies: Dependencies) {
  const { now, messageErasure, eventLog, deliveryErasure, retentionDays } = dependencies

  return {
    async preview(organizationId: string, given: Person, msMax = PREVIEW_MS_MAX): Promise<ErasurePreview> {
      const deadline = performance.now() + msMax
      const horizon = toHorizon(now().toISOString())
      const counts = { messages_sent: 0, messages_received: 0, events: 0, deliveries: 0, open_deliveries: 0 }
      const [gone, touched] = [new Set<string>(), new Set<string>()]
      const isLate = () => performance.now() > deadline

      /** The user ids that belong to the number are complete after the first pass; the second one counts with them. */
      async function countMessages(person: Person): Promise<Person> {
        let known = person
        const found = { messages_sent: 0, messages_received: 0 }
        for (let before: string = horizon; !isLate(); ) {
          const window = findWindow(now(), organizationId, before, retentionDays.messages)
          if (!window) break
          const identifiers = listIdentifiers(person)
          const { end, messages } = await messageErasure.scan({ organizationId, window, before, identifiers })
          for (const message of messages.filter((each) => concernsPerson(person, each))) {
            found[message.direction === 'inbound' ? 'messages_received' : 'messages_sent']++
            known = addUserIds(known, message)
          }
          before = end ?? window.from
        }
        Object.assign(counts, found)
        return known
      }

      async function countEvents(person: Person): Promise<void> {
        for (let before = horizon; !isLate(); ) {
          const window = findWindow(now(), organizationId, before, retentionDays.events)
          if (!window) break
          const identifiers = listIdentifiers(person)
          const { end, events } = await eventLog.scan({ organizationId, window, before, identifiers })
          for (const event of events) {
            const remaining = removeFromPayload(event, person)
            if (remaining !== 'unchanged') touched.add(event.id)
            if (remaining === null) gone.add(event.id)
          }
          before = end ?? window.from
        }
        counts.events = touched.size
      }

      async function countOpen(): Promise<void> {
        for (let after: DeliveryPlace | undefined = BEFORE_ALL_DELIVERIES; after && !isLate(); ) {
          const page = await deliveryErasure.listOpen({ organizationId, after })
          counts.open_deliveries += countDeliveries(page.filter(({ event_id }) => gone.has(event_id)))
          const last = page.at(-1)
          after = last && { endpointId: last.endpoint_id, id: last.id }
        }
      }

      async function countFinal(): Promise<void> {
        let [before, after] = [horizon, BEFORE_ALL_DELIVERIES]
        while (!isLate()) {
          const window = findWindow(now(), organizationId, before, retentionDays.deliveries)
          if (!window) break
          const page = await deliveryErasure.listFinal({ organizationId, after, window })
          counts.deliveries += page.filter(({ event_id }) => touched.has(event_id)).length
          const last = page.at(-1)
          if (last) after = { endpointId: last.endpoint_id, id: last.id }
          else [before, after] = [window.from, BEFORE_ALL_DELIVERIES]
        }
      }

      let person = await countMessages(given)
      if (person !== given) person = await countMessages(person)
      await countEvents(person)
      await countOpen()
      await countFinal()
      return { counts, complete: !isLate() }
    },
  }
}
