import { BoundedMap } from '../bounded-map.ts'
import type {
  Account,
  Call,
  Code,
  Contact,
  Group,
  Media,
  MediaLink,
  Message,
  NumberFaults,
  NumberSettings,
  Phone,
  Relation,
  Template,
  Token,
  Upload,
} from './model.ts'

const MEDIA_BYTES_MAX = 2 * 1024 ** 3

/** The platform's objects. Maps that grow with traffic are bounded. */
export function createState(forgetMedia: (media: Media) => void) {
  const state = {
    businesses: new Map<string, { id: string; name: string }>(),
    accounts: new Map<string, Account>(),
    phones: new Map<string, Phone>(),
    /** By the id of the number. */
    numberFaults: new Map<string, NumberFaults>(),
    /** By the id of the number. */
    numberSettings: new Map<string, NumberSettings>(),
    tokens: new BoundedMap<Token>({ entriesMax: 10_000 }),
    codes: new BoundedMap<Code>({ entriesMax: 1_000 }),
    contacts: new BoundedMap<Contact>({ entriesMax: 100_000 }),
    /** From user id to wa_id. */
    users: new BoundedMap<string>({ entriesMax: 200_000 }),
    relations: new BoundedMap<Relation>({ entriesMax: 200_000 }),
    messages: new BoundedMap<Message>({ entriesMax: 50_000 }),
    groups: new BoundedMap<Group>({ entriesMax: 10_000 }),
    templates: new BoundedMap<Template>({ entriesMax: 20_000 }),
    media: new BoundedMap<Media>({
      entriesMax: 5_000,
      weightMax: MEDIA_BYTES_MAX,
      weigh: (media) => media.size,
      forget: forgetMedia,
    }),
    mediaLinks: new BoundedMap<MediaLink>({ entriesMax: 10_000 }),
    uploads: new BoundedMap<Upload>({ entriesMax: 1_000 }),
    /** The handles of complete uploads, with the types of their files. */
    handles: new BoundedMap<string>({ entriesMax: 5_000 }),
    calls: new BoundedMap<Call>({ entriesMax: 5_000 }),
  }
  return {
    ...state,
    clear(): void {
      for (const map of Object.values(state)) map.clear()
    },
  }
}

export type State = ReturnType<typeof createState>
