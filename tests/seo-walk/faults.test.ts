import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { standIn } from "../../src/dialogs/testing/walk.ts";
import { texts } from "../../src/seo/bot/texts/index.ts";
import { broadcastKey } from "../../src/seo/broadcasts/send-broadcast.ts";
import { newsOf, peopleFor, readers, sendNews } from "./faults/faulty-broadcasts.ts";
import { deliveries, holdDeliveries, keptPictures, publishedWhile } from "./faults/faulty-deliveries.ts";
import { fetchFromTelegram, fetchingSteps } from "./faults/faulty-files.ts";
import { faultsOfRound, isKept, regeneratedWhile, roundFaults, saysKept } from "./faults/faulty-rounds.ts";
import {
  doneAnyhow,
  endOf,
  heldBy,
  keptBy,
  type Need,
  needsOfWorks,
  saysTokens,
  shownIn,
  type Wait,
  waitsFor,
} from "./faults/faulty-runs.ts";
import { tryStep, type Walker, workingSteps } from "./faults/faulty-steps.ts";
import { type FaultyWorld, startFaultyWorld } from "./faults/faulty-world.ts";
import { faultsOf, nameOf } from "./faults/provider-faults.ts";
import { stepsThatAsk, worksThatAsk } from "./faults/who-asks.ts";
import { examplesIn } from "./walk-examples.ts";
import { works } from "./walk-runs.ts";
import { administrator } from "./walk-world.ts";

let faulty: FaultyWorld;
let walker: Walker;
let needs: Need[];
let waits: Wait[];
let putBack: () => Promise<void>;
beforeAll(async () => {
  faulty = await startFaultyWorld();
  const { world, runs, harness } = faulty;
  needs = await needsOfWorks(faulty);
  putBack = await keptPictures(faulty);
  const person = await faulty.walker(world.whose.userId);
  await person.command("start");
  const examples = examplesIn(world, runs, person);
  walker = { person, examples, watch: await faulty.watching() };
  await fetchFromTelegram(harness, person);
  waits = await waitsFor(faulty, walker);
}, 240_000);
afterAll(() => faulty?.close());

it("every step that asks a provider ends, says what happened and leads on, whatever the provider does", {
  timeout: 600_000,
}, async () => {
  const found: Record<string, string[]> = {};
  const release = await holdDeliveries(faulty);
  for (const step of workingSteps) {
    const providers = await tryStep(faulty, walker, step);
    if (providers.length > 0) found[step.name] = providers;
  }
  await release();
  expect(walker.watch.faults).toEqual([]);
  expect(found).toEqual(stepsThatAsk);
});

it("every work that a provider fails returns its tokens and says so wherever it is waited for, or does without", {
  timeout: 600_000,
}, async () => {
  const { watch } = walker;
  const ends = new Set<string>();
  for (const provider of new Set(needs.map((each) => each.provider)))
    for (const fault of faultsOf(provider)) {
      const where = `${provider} answers with ${nameOf(fault)}`;
      const concerned = needs.filter((need) => need.provider === provider);
      const ended = await faulty.failing([provider], fault, () =>
        Promise.all(concerned.map((need) => doneAnyhow(faulty, need))),
      );
      for (const run of ended) {
        const isLost = run.status === "failed";
        if (!isLost && !["review", "done"].includes(run.status))
          watch.report(`${run.kind} while ${where}: it ends as ${run.status}`);
        if (isLost && keptBy(run) > 0) watch.report(`${run.kind} while ${where}: tokens are lost`);
        if (ends.has(endOf(run))) continue;
        ends.add(endOf(run));
        for (const wait of waits.filter(({ kind, isDelivery }) => kind === run.kind && !isDelivery)) {
          const said = await shownIn(faulty, walker, wait, run, where);
          if (isLost && heldBy(run) > 0 && !saysTokens.test(said))
            watch.report(`${wait.name} while ${where}: it does not say that tokens are back: ${said}`);
        }
      }
    }
  expect(watch.faults).toEqual([]);
  const asked = works.map((work): [string, string[]] => [
    work,
    needs.filter((need) => need.work === work).map(({ provider }) => provider),
  ]);
  expect(Object.fromEntries(asked)).toEqual(worksThatAsk);
});

it("every text that a provider does not write anew stays, costs nothing more, and its person is told so", {
  timeout: 600_000,
}, async () => {
  const { watch } = walker;
  const shown = new Set<string>();
  for (const failing of roundFaults) {
    await putBack();
    for (const round of await regeneratedWhile(faulty, failing)) {
      const { work, isPaid, run } = round;
      const where = `${work}, ${isPaid ? "paid" : "free"}, while ${failing.provider} answers with ${nameOf(failing.fault)}`;
      for (const fault of faultsOfRound(round)) watch.report(`${where}: ${fault}`);
      if (!isKept(round) || shown.has(`${endOf(run)} ${isPaid}`)) continue;
      shown.add(`${endOf(run)} ${isPaid}`);
      for (const wait of waits.filter(({ kind, isDelivery }) => kind === run.kind && !isDelivery)) {
        const said = await shownIn(faulty, walker, wait, run, where);
        if (!saysKept.test(said))
          watch.report(`${wait.name}: ${where}: it does not say what stayed: ${said}`);
      }
    }
  }
  expect(watch.faults).toEqual([]);
});

it("every text that a network does not take returns its tokens and says so, and its person can go on", {
  timeout: 600_000,
}, async () => {
  const { watch } = walker;
  for (const fault of faultsOf("wordpress")) {
    await putBack();
    for (const { work, run } of await publishedWhile(faulty, fault)) {
      const where = `${deliveries[work]} answers with ${nameOf(fault)}`;
      if (run.status !== "failed" && run.status !== "done")
        watch.report(`${work} while ${where}: ${run.status}`);
      if (run.status === "failed" && keptBy(run) > 0) watch.report(`${work} while ${where}: tokens are lost`);
      for (const wait of waits.filter(({ kind, isDelivery }) => kind === run.kind && isDelivery)) {
        const said = await shownIn(faulty, walker, wait, run, where);
        if (run.status === "failed" && !saysTokens.test(said))
          watch.report(`${wait.name} while ${where}: it does not say that tokens are back: ${said}`);
      }
    }
  }
  expect(watch.faults).toEqual([]);
});

it("a file that Telegram does not hand over is asked for again", { timeout: 240_000 }, async () => {
  const { person, watch, examples } = walker;
  for (const { name, flow, state } of fetchingSteps) {
    const example = examples[name]?.find(({ media }) => media?.kind === "document");
    if (!example?.media) watch.report(`${name} has no example of a file`);
    for (const fault of faultsOf("telegram")) {
      const { data: stored, media } = example ?? {};
      const data = { ...flow.empty, ...(typeof stored === "function" ? await stored() : stored) };
      await standIn(faulty.harness.sql, person, { flow, state, data });
      await faulty.failing(["telegram"], fault, async () => {
        if (media) await person.send(media);
        for (let attempt = 0; attempt < 3; attempt += 1) {
          person.clock.advance(60_000);
          await person.dialogs.settle();
        }
      });
      const where = `${name} while Telegram answers with ${nameOf(fault)}`;
      await watch.look(person, where);
      if ((await person.stands()) !== name) watch.report(`${where}: leads to ${await person.stands()}`);
    }
  }
  expect(watch.faults).toEqual([]);
});

it("news come once to whom they can, the others are counted, and whoever sends them can go on meanwhile and after", {
  timeout: 240_000,
}, async () => {
  const { watch } = walker;
  const { harness } = faulty;
  const news = "News of the walk";
  const ids = await peopleFor(faulty);
  const boss = await faulty.walker(administrator);
  await boss.command("start");
  const say = texts.ru.admin.broadcast;
  await boss.pressPayload("admin:broadcast");
  await boss.press(say.audiences.all(readers.length));
  await boss.say(news);
  await boss.press(say.send(readers.length));
  await watch.look(boss, "the sending of news");
  expect([await boss.stands(), boss.labels()]).toEqual([
    ...["AdminBroadcast.sending", [say.stop, texts.ru.admin.back]],
  ]);
  const { id } = z.object({ id: z.int() }).parse((await boss.row()).data);
  const restedMs = await sendNews(faulty, id);
  await harness.control("DELETE", "/faults");
  // As long as Telegram asked for, and pauses after its faults.
  expect(restedMs).toBeGreaterThan(40_000);
  await boss.receive({ ...boss.next(), kind: "wake", on: broadcastKey(id), outcome: "done", facts: {} });
  expect(await boss.stands()).toBe(`screen:admin:broadcast:${id}`);
  await watch.look(boss, "the report of news");
  const counted = (outcome: string) => readers.filter(({ counts }) => counts === outcome).length;
  const figures = { sent: counted("sent"), blocked: counted("blocked"), failed: counted("failed") };
  expect(boss.text()).toContain(say.figures(figures));
  expect(await newsOf(faulty, ids, news)).toEqual(readers.map(({ has }) => has));
  expect(watch.faults).toEqual([]);
});
