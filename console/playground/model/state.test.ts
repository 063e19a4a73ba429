import { describe, expect, it } from "vitest";
import type { MessageView, TwinEvent } from "../types.ts";
import { aChat, aMessage } from "./builders.ts";
import { type Action, initialState, keyOf, reduce, type State, unreadOf } from "./state.ts";

const key = keyOf("telegram", "-1");
const m = (id: number, given: Partial<MessageView> = {}) => aMessage({ id: String(id), at: id, ...given });

describe("the messages of an open chat", () => {
  it("appear as they are sent, in the order of their time", () => {
    const state = stateAfter(newest([m(1), m(5)]), said(m(9)), said(m(3)));
    expect(idsOf(state)).toEqual(["1", "3", "5", "9"]);
  });

  it("change in place when they are edited and vanish when they are removed", () => {
    const state = stateAfter(
      newest([m(1), m(2), m(3)]),
      said(m(2, { text: "Исправлено", edited: true })),
      told({ type: "removed", provider: "telegram", chatId: "-1", messageId: "3" }),
    );
    expect(idsOf(state)).toEqual(["1", "2"]);
    expect(state.rooms.get(key)?.messages[1]?.text).toBe("Исправлено");
  });

  it("are joined by older ones without doubles", () => {
    const state = stateAfter(newest([m(3), m(4)]), {
      type: "older",
      key,
      page: { messages: [m(1), m(2), m(3)], hasOlder: false },
    });
    expect(idsOf(state)).toEqual(["1", "2", "3", "4"]);
    expect(state.rooms.get(key)?.hasOlder).toBe(false);
  });

  it("are those of the twin after a gap, and older pages stay when nothing is missing between", () => {
    const known = [m(1), m(2), m(3)];
    const state = stateAfter(newest(known), newest([m(2), m(4)], known));
    expect(idsOf(state)).toEqual(["1", "2", "4"]);
  });

  it("drop the older pages when the gap was longer than a page", () => {
    const known = [m(1), m(2)];
    const state = stateAfter(newest(known), newest([m(8), m(9)], known, true));
    expect(idsOf(state)).toEqual(["8", "9"]);
    expect(state.rooms.get(key)?.hasOlder).toBe(true);
  });

  it("keep what happened while the page was on its way", () => {
    const known = [m(1), m(2)];
    const state = stateAfter(
      newest(known),
      said(m(3)),
      told({ type: "removed", provider: "telegram", chatId: "-1", messageId: "1" }),
      newest([m(1), m(2)], known),
    );
    expect(idsOf(state)).toEqual(["2", "3"]);
  });
});

describe("sites and networks", () => {
  const aPlace = (items: number) => ({
    ...{ provider: "telegraph", id: "1", title: "Магазин", url: "/telegraph/pages-of/1", items },
  });

  it("are listed as read, and each change replaces what was known of its place", () => {
    const read: Action = { type: "places", places: [aPlace(1), { ...aPlace(3), id: "2" }] };
    const state = stateAfter(read, told({ type: "place", provider: "telegraph", place: aPlace(2) }));
    expect([...state.places.values()].map(({ id, items }) => [id, items])).toEqual([
      ["1", 2],
      ["2", 3],
    ]);
  });

  it("are forgotten when the twins forget everything", () => {
    const state = stateAfter({ type: "places", places: [aPlace(1)] }, told({ type: "reset" }));
    expect(state.places.size).toBe(0);
  });
});

describe("unread messages", () => {
  it("are those that came since the page was opened", () => {
    const state = stateAfter(chats(10), chats(13));
    expect(unreadOf(state, key)).toBe(3);
  });

  it("are none in a chat that was looked at", () => {
    const state = stateAfter(chats(10), chats(13), { type: "seen", key });
    expect(unreadOf(state, key)).toBe(0);
  });

  it("include everything in a chat that appeared later", () => {
    const state = stateAfter(
      { type: "chats", chats: [] },
      told({ type: "chat", provider: "telegram", chat: aChat({ count: 2 }) }),
    );
    expect(unreadOf(state, key)).toBe(2);
  });

  it("do not count what was removed", () => {
    expect(unreadOf(stateAfter(chats(10), chats(7)), key)).toBe(0);
  });

  it("do not count a chat announced before the list was read", () => {
    const state = stateAfter(
      told({ type: "chat", provider: "telegram", chat: aChat({ count: 4 }) }),
      chats(4),
    );
    expect(unreadOf(state, key)).toBe(0);
  });
});

it("someone types until the message comes or the time is over", () => {
  const typing = stateAfter(chats(1), told({ type: "typing", provider: "telegram", chatId: "-1" }));
  expect(typing.typing.has(key)).toBe(true);
  expect(reduce(typing, said(m(1))).typing.has(key)).toBe(false);
  expect(reduce(typing, { type: "fell silent", key }).typing.has(key)).toBe(false);
  const mine = said(m(1, { author: { name: "Гость", bot: false, mine: true } }));
  expect(reduce(typing, mine).typing.has(key)).toBe(true);
  const drafted = reduce(typing, told({ type: "draft", provider: "telegram", chatId: "-1", text: "Почти" }));
  expect(drafted.drafts.get(key)).toBe("Почти");
  expect(reduce(drafted, mine).drafts.has(key)).toBe(true);
  expect(reduce(drafted, said(m(1))).drafts.has(key)).toBe(false);
  expect(reduce(drafted, { type: "draft faded", key }).drafts.has(key)).toBe(false);
});

it("a reset forgets every message", () => {
  const state = stateAfter(newest([m(1)]), told({ type: "reset" }));
  expect(state.rooms.size).toBe(0);
});

function stateAfter(...actions: readonly Action[]): State {
  return actions.reduce(reduce, initialState);
}

function told(event: TwinEvent): Action {
  return { type: "told", event };
}

function said(message: MessageView): Action {
  return told({ type: "message", provider: "telegram", chatId: "-1", message });
}

function newest(messages: MessageView[], known: MessageView[] = [], hasOlder = false): Action {
  return { type: "newest", key, known, page: { messages, hasOlder } };
}

function chats(count: number): Action {
  return { type: "chats", chats: [aChat({ count })] };
}

function idsOf(state: State): string[] | undefined {
  return state.rooms.get(key)?.messages.map(({ id }) => id);
}
