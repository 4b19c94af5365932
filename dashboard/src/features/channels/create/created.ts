import type { ChannelCreated, ConnectLinkResponse } from '@hubline/sdk/console'

/** A new channel with its token, and its link where one could be created. */
export type Created = ChannelCreated & { name: string; link: ConnectLinkResponse | undefined }
