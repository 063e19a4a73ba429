import { chooseForToday, roomForText } from "../../src/accounts/governor/choose-for-today.ts";
import { distanceBetween, fingerprintOf, nearBits } from "../../src/accounts/governor/fingerprint.ts";
import { learn, type Noticed } from "../../src/accounts/governor/learn.ts";
import { maySend } from "../../src/accounts/governor/may-send.ts";
import { ceilingOf, gapOf, memoryAt } from "../../src/accounts/governor/pace.ts";
import { freshMemory, type PaceMemory } from "../../src/accounts/governor/pace-memory.ts";
import { defaultSettings, type PaceSettings } from "../../src/accounts/governor/pace-settings.ts";
import type { Facts } from "../../src/accounts/governor/send-facts.ts";
import { intervalMs } from "../../src/accounts/plan/modes.ts";
import { beginning, dayMs, midnightOf, window } from "./calendar.ts";
import type { Pacing } from "./pacing.ts";
import type { Task } from "./publish.ts";
import type { Publisher } from "./world/demand.ts";
import type { Answer } from "./world/telegram.ts";

/** What the accounts of one workspace know of each other's texts. */
export interface SharedTexts {
  familyOf(object: number, text: string): number;
  readonly sent: Map<number, { at: number; account: number }[]>;
}

/** The product's governor, with its memory in variables instead of PostgreSQL. */
export function governed(
  publisher: Publisher,
  shared: SharedTexts,
  settings: PaceSettings = defaultSettings,
): Pacing & { memory(): PaceMemory } {
  const account = { connectedAt: beginning, windowMinutes: window.minutes };
  let memory: PaceMemory = freshMemory(settings, beginning);
  let sends: number[] = [];
  const chats = new Map<number, { lastSentAt?: number; slowModeSeconds?: number; slowUntil?: number }>();
  const interval = intervalMs(publisher);
  const chatOf = (id: number) => {
    const known = chats.get(id) ?? {};
    chats.set(id, known);
    return known;
  };

  const factsOf = ({ object, chat }: Task, now: number): Facts => {
    const since = Math.min(midnightOf(now), now - dayMs);
    if ((sends[0] ?? now) < since) sends = sends.filter((at) => at >= since);
    const family = shared.familyOf(object.id, object.text);
    const all = (shared.sent.get(family) ?? []).filter(({ at }) => at > now - dayMs);
    shared.sent.set(family, all);
    const remembered = chatOf(chat.id);
    const own: number[] = [];
    const others: number[] = [];
    for (const one of all) (one.account === publisher.index ? own : others).push(one.at);
    return {
      now,
      dayStart: midnightOf(now),
      sends,
      copies: { own, others },
      chat: {
        slowModeSeconds:
          remembered.slowModeSeconds ??
          (chat.slowModeShown && chat.slowModeSeconds > 0 ? chat.slowModeSeconds : 0),
        ...(remembered.lastSentAt !== undefined && { lastSentAt: remembered.lastSentAt }),
        ...(remembered.slowUntil !== undefined && { slowUntil: remembered.slowUntil }),
      },
    };
  };

  return {
    memory: () => memory,
    choose(tasks, now) {
      memory = memoryAt(memory, account, settings, { now, dayStart: midnightOf(now) });
      const roomOf = ({ object }: Task) => {
        const key = shared.familyOf(object.id, object.text);
        const others = (shared.sent.get(key) ?? []).filter(
          ({ at, account }) => at > now - dayMs && account !== publisher.index,
        ).length;
        return { key, copies: roomForText(memory.copies, others, settings.others_weight) };
      };
      const ceiling = ceilingOf(memory, account, settings, now);
      return chooseForToday(tasks, roomOf, ceiling < publisher.dailyLimit ? ceiling : undefined);
    },
    pace(now) {
      memory = memoryAt(memory, account, settings, { now, dayStart: midnightOf(now) });
      const ceiling = ceilingOf(memory, account, settings, now);
      const gap = gapOf(ceiling, account, settings);
      return { ceiling, gapFactor: Math.max(1, interval === undefined ? 1 : gap / interval) };
    },
    mayGo: (task, now) => maySend(memory, account, factsOf(task, now), settings),
    noticed(task, now, answer) {
      const facts = factsOf(task, now);
      memory = learn(memory, account, facts, noticedOf(answer), settings);
      const chat = chatOf(task.chat.id);
      if (answer.kind === "slow_mode") {
        chat.slowUntil = now + answer.seconds * 1000;
        chat.slowModeSeconds = Math.ceil((chat.slowUntil - (chat.lastSentAt ?? now)) / 1000);
      }
      if (answer.kind !== "sent") return;
      chat.lastSentAt = now;
      sends.push(now);
      const family = shared.familyOf(task.object.id, task.object.text);
      const sent = shared.sent.get(family) ?? [];
      sent.push({ at: now, account: publisher.index });
      shared.sent.set(family, sent);
    },
  };
}

function noticedOf(answer: Answer): Noticed {
  switch (answer.kind) {
    case "no_rights":
      return { kind: "write_forbidden" };
    case "banned":
      return { kind: "other" };
    default:
      return answer;
  }
}

/** Texts are compared by the product's own fingerprints; only Telegram knows which are really near-identical. */
export function sharedTexts(): SharedTexts {
  const families: bigint[] = [];
  const known = new Map<number, number>();
  return {
    sent: new Map(),
    familyOf(object, text) {
      const earlier = known.get(object);
      if (earlier !== undefined) return earlier;
      const fingerprint = fingerprintOf(text);
      let family = families.findIndex((one) => distanceBetween(one, fingerprint) <= nearBits);
      if (family < 0) family = families.push(fingerprint) - 1;
      known.set(object, family);
      return family;
    },
  };
}
