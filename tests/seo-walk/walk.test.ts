import { afterAll, beforeAll, expect, it } from "vitest";
import { unwalked } from "../../src/dialogs/testing/walk.ts";
import { screenFaults } from "../../src/dialogs/testing/walk-screens.ts";
import { botFlows, botScreens } from "../../src/seo/bot/bot.ts";
import { doorsIn, lastOpened, officeDoors, preparedFor } from "./walk-doors.ts";
import { examplesIn } from "./walk-examples.ts";
import { startWalking, type Walking } from "./walk-harness.ts";
import { administrator } from "./walk-world.ts";

let walking: Walking;
beforeAll(async () => {
  walking = await startWalking();
}, 240_000);
afterAll(() => walking?.close());

/** What only an administrator has. */
const isOffice = (name: string) => name.startsWith("Admin");

it("every edge of every flow can be walked, and every screen on the way has a way on", {
  timeout: 600_000,
}, async () => {
  const { harness, world, runs, trace, walker } = walking;
  const watch = await walking.watching();
  const missing: string[] = [];
  for (const userId of [world.whose.userId, administrator]) {
    const person = await walker(userId);
    const flows = botFlows.filter(({ name }) => isOffice(name) === (userId === administrator));
    const examples = examplesIn(world, runs, person);
    const walk = { sql: harness.sql, person, flows, screens: botScreens, examples, watch, trace };
    missing.push(...(await unwalked(walk)));
  }
  expect(missing).toEqual([]);
  expect(watch.faults).toEqual([]);
});

it("every button of every screen leads on", { timeout: 600_000 }, async () => {
  const { world, runs, walker, watching } = walking;
  const faults: string[] = [];
  for (const userId of [administrator, world.whose.userId]) {
    const isHere = (path: string) => /^admin(:|$)/.test(path) === (userId === administrator);
    const [person, abroad] = [await walker(userId), await walker(userId, "en")];
    const from = userId === administrator ? await officeDoors(world) : await doorsIn(world, runs);
    const watch = await watching();
    const found = await screenFaults({
      ...{ person, abroad, screens: botScreens, from, last: lastOpened, watch, isWalked: isHere },
      before: (address) => preparedFor(address, world),
    });
    faults.push(...found);
  }
  expect(faults).toEqual([]);
});

it("every state that takes words has an example", async () => {
  const { world, runs, walker } = walking;
  const examples = examplesIn(world, runs, await walker(administrator));
  const silent = botFlows.flatMap(({ name, states }) =>
    Object.entries(states).flatMap(([state, { ...shape }]) =>
      "text" in shape && shape.text && !examples[`${name}.${state}`]?.some(({ text }) => text !== undefined)
        ? [`${name}.${state}`]
        : [],
    ),
  );
  expect(silent).toEqual([]);
});
