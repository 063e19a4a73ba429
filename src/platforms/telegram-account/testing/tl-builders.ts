import { Long, type tl } from "@mtcute/core";

/** Builders of Telegram's objects: a test gives only the fields that matter to it. */
export function aUser(given: Partial<tl.RawUser> = {}): tl.RawUser {
  return {
    _: "user",
    id: 700_100,
    self: true,
    accessHash: Long.fromNumber(11),
    firstName: "Анна",
    phone: "79012000001",
    ...given,
  };
}

export function aChannel(given: Partial<tl.RawChannel> = {}): tl.RawChannel {
  return {
    _: "channel",
    id: 1_234_567,
    accessHash: Long.fromNumber(77),
    title: "Аренда",
    megagroup: true,
    participantsCount: 120,
    photo: { _: "chatPhotoEmpty" },
    date: 1_700_000_000,
    ...given,
  };
}

export function dialogsOf(chats: readonly tl.TypeChat[]): tl.messages.RawDialogs {
  return { _: "messages.dialogs", dialogs: [], messages: [], chats: [...chats], users: [] };
}

export function sentAs(ids: readonly { randomId: Long; id: number }[]): tl.RawUpdates {
  return {
    _: "updates",
    updates: ids.map(({ randomId, id }) => ({ _: "updateMessageID", randomId, id })),
    users: [],
    chats: [],
    date: 1_700_000_000,
    seq: 0,
  };
}

export function aMessage(id: number, message: string): tl.RawMessage {
  return {
    _: "message",
    id,
    out: true,
    peerId: { _: "peerChannel", channelId: 1_234_567 },
    date: 1_700_000_000,
    message,
  };
}

export function authorization(user: tl.RawUser): tl.auth.RawAuthorization {
  return { _: "auth.authorization", user };
}
