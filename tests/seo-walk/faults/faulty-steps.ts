/** Steps of the dialogues that ask a provider before they go on: carried out with each of its faults. */
import { personWaitsMs } from "../../../src/delivery/index.ts";
import type { Flow, WorkState } from "../../../src/dialogs/flow/flow.ts";
import { isWork } from "../../../src/dialogs/flow/graph.ts";
import type { Person } from "../../../src/dialogs/testing/harness.ts";
import { type Example, standIn } from "../../../src/dialogs/testing/walk.ts";
import type { Watch } from "../../../src/dialogs/testing/watch.ts";
import { botFlows } from "../../../src/seo/bot/bot.ts";
import type { BotServices } from "../../../src/seo/bot/services.ts";
import type { Examples } from "../walk-given.ts";
import type { FaultyWorld } from "./faulty-world.ts";
import { faultsOf, nameOf } from "./provider-faults.ts";

export interface Walker {
  readonly person: Person;
  readonly examples: Examples;
  readonly watch: Watch;
}

interface Step {
  readonly name: string;
  readonly flow: Flow<BotServices>;
  readonly state: string;
  readonly attempts: number;
}

/** Every state in which the bot works while its person waits. */
export const workingSteps: readonly Step[] = botFlows.flatMap((flow) =>
  Object.entries(flow.states).flatMap(([state, shape]) =>
    isWork(shape) ? [{ name: `${flow.name}.${state}`, flow, state, attempts: attemptsOf(shape) }] : [],
  ),
);

function attemptsOf({ attempts = 3 }: Pick<WorkState<never, never, never>, "attempts">): number {
  return attempts;
}

const rich = 1_000_000;

/** Nobody watches a chat for longer. */
const longestWaitMs = personWaitsMs;

/** Between two attempts of a work. */
const pauseMs = 60_000;

/** Tries a step with each fault of each provider that it asks. Returns those providers; the watch has what is wrong. */
export async function tryStep(faulty: FaultyWorld, walker: Walker, step: Step): Promise<string[]> {
  const { person, watch, examples } = walker;
  const given = examples[step.name] ?? [];
  if (given.length === 0) watch.report(`${step.name} has no example`);
  const tried = new Set<string>();
  for (const example of given) {
    let whole = "";
    await faulty.world.setBalance(rich);
    const { providers } = await faulty.callsDuring(async () => {
      whole = await carryOut(faulty, walker, step, example);
    });
    for (const provider of providers.filter((each) => !tried.has(each))) {
      tried.add(provider);
      for (const fault of faultsOf(provider)) {
        const where = `${step.name} while ${provider} answers with ${nameOf(fault)}`;
        await faulty.world.setBalance(rich);
        const said = await carryOut(faulty, walker, step, example, (work) =>
          faulty.failing([provider], fault, work),
        );
        if ((await person.row()).work_id !== null) watch.report(`${where}: it never ends`);
        if (faulty.hungMs() > longestWaitMs)
          watch.report(`${where}: its person would wait for ${faulty.hungMs() / 1_000} s`);
        await watch.look(person, where);
        if (withoutFigures(said) !== withoutFigures(whole) && !saysWhy.test(said))
          watch.report(`${where}: it does not say what happened: ${said}`);
        if (machineWords.test(said)) watch.report(`${where}: it speaks of machines: ${said}`);
        if ((await faulty.world.balance()) < rich) watch.report(`${where}: tokens are lost`);
      }
    }
  }
  return [...tried].toSorted();
}

/** Words of a person who is told that something did not work. */
const saysWhy =
  /не (?:удалось|получилось|прошла|отвечает|принимает|работает)|невалиден|недоступ|ошибк|неполад|отказ|ограничил|введите корректный/i;

/** What our own code says of requests that failed; nobody who reads a chat is helped by it. */
export const machineWords =
  /other side closed|socket hang up|ECONN|cannot be read|answered with status|while a person waited/i;

/** Numbers of things change from step to step. */
const withoutFigures = (text: string) => text.replace(/\d[\d\s\u00a0]*/g, "0");

/** Carries the step out from its beginning; returns what the person reads then. */
async function carryOut(
  { harness }: FaultyWorld,
  { person }: Walker,
  { flow, state, attempts }: Step,
  { data: stored, before, after }: Example,
  circumstances: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<string> {
  try {
    await before?.();
    const data = { ...flow.empty, ...(typeof stored === "function" ? await stored() : stored) };
    await standIn(harness.sql, person, { flow, state, data });
    await circumstances(async () => {
      // It may lead to another work.
      for (let attempt = 0; attempt <= 2 * attempts; attempt += 1) {
        await person.dialogs.settle();
        if ((await person.row()).work_id === null) return;
        person.clock.advance(pauseMs);
      }
    });
    return String((await person.row()).screen && person.text());
  } finally {
    await after?.();
  }
}
