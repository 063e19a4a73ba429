import { expect, test } from "vitest";
import { createFaults } from "./faults.ts";
import { createJournal } from "./journal.ts";
import { testClock } from "./testing.ts";

const call = { provider: "telegram", method: "sendMessage", bot: "shop_bot", chat: "5" };

test("a script with a probability applies to that share of calls, and other calls do not use it up", () => {
  const draws = [0.9, 0.1, 0.9, 0.1];
  const faults = createFaults({ clock: testClock(), random: () => draws.shift() ?? 0.9 });
  faults.add({ match: {}, fault: { kind: "hang" }, probability: 0.5, times: 2 });
  expect([1, 2, 3, 4, 5].map(() => faults.take(call)?.kind)).toEqual([
    undefined,
    "hang",
    undefined,
    "hang",
    undefined,
  ]);
  expect(faults.list()).toEqual([]);
});

test("the oldest script that fits is applied first", () => {
  const faults = createFaults({ clock: testClock(), random: () => 0 });
  faults.add({ match: { chat: "6" }, fault: { kind: "hang" } });
  faults.add({ match: { chat: "5" }, fault: { kind: "drop_after" }, times: 1 });
  faults.add({ match: { method: "SENDMESSAGE" }, fault: { kind: "malformed" } });
  expect([faults.take(call)?.kind, faults.take(call)?.kind]).toEqual(["drop_after", "malformed"]);
});

test("the journal keeps its newest entries and numbers them on", () => {
  const journal = createJournal(testClock(), 10);
  for (let index = 0; index < 25; index += 1)
    journal.add({ ...call, request: index, status: 200, response: null });
  const kept = journal.find({ limit: 100 });
  expect(kept.map(({ id }) => id)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  expect(journal.find({ limit: 2 }).map(({ id }) => id)).toEqual([24, 25]);
  expect(journal.find({ after: 20, limit: 2 }).map(({ id }) => id)).toEqual([21, 22]);
});

test("a script with a text applies to requests that have it", () => {
  const faults = createFaults({ clock: testClock(), random: () => 0 });
  faults.add({ match: { text: "Два листа" }, fault: { kind: "hang" } });
  const asked = (content: string) => faults.take(call, { messages: [{ role: "user", content }] })?.kind;
  expect([asked("О чае «Два листа»"), asked("О чае")]).toEqual(["hang", undefined]);
});
