/** Checks what the compiler cannot, once, when flows are registered. */
import type { Flow } from "./flow.ts";
import { graphOf, isAsk, isWait, isWork, outside } from "./graph.ts";
import type { BotKeyboard } from "./keyboard.ts";
import { longest } from "./payload.ts";
import { fits, flowEntity, type Route } from "./screens.ts";

export class FlowError extends Error {
  override readonly name = "FlowError";
}

export type FlowBook<Services> = ReadonlyMap<string, Flow<Services>>;

/** What a bot has besides its flows. */
export interface Beside<Services> {
  readonly screens?: readonly Route<Services>[] | undefined;
  readonly keyboard?: BotKeyboard<Services> | undefined;
  readonly home?: string | undefined;
}

/** Every flow by its name. Throws with all errors at once. */
export function registerFlows<Services>(
  flows: readonly Flow<Services>[],
  { screens = [], keyboard, home }: Beside<Services> = {},
): FlowBook<Services> {
  const book = new Map(flows.map((flow) => [flow.name, flow]));
  const places: Places = {
    flow: (name) => book.has(name),
    screen: (path) => screens.some((route) => fits(route.path, path)),
  };
  const errors = [
    ...clashes(flows, screens),
    ...flows.flatMap((flow) => errorsOf(flow, places)),
    ...screens.flatMap((route) => errorsOfRoute(route, places)),
    ...(keyboard?.rows.flat() ?? [])
      .filter(({ to }) => !leadsSomewhere(to, places))
      .map(({ label, to }) => `the label ${label.en} leads to the unknown ${to}`),
    ...(home?.startsWith("screen:") && !leadsSomewhere(home, places)
      ? [`the home ${home} is not among the screens`]
      : []),
  ];
  if (errors.length > 0)
    throw new FlowError(`These flows cannot run:\n${errors.map((error) => `- ${error}`).join("\n")}`);
  return book;
}

interface Places {
  flow(name: string): boolean;
  screen(path: string): boolean;
}

function leadsSomewhere(to: string, places: Places): boolean {
  return to.startsWith("screen:")
    ? places.screen(to.slice("screen:".length))
    : places.flow(to.slice("flow:".length));
}

function errorsOfRoute<Services>({ path, to, show, act, commands = [] }: Route<Services>, places: Places) {
  const errors: string[] = [];
  const report = (text: string) => errors.push(`${path}: ${text}`);
  const parts = path.split(":");
  if (parts.some((part) => !/^(?:[a-z0-9_-]+|\{@?[a-zA-Z]+\})$/.test(part)))
    report("a path is words of small letters, digits, _ and -, {numbers} and {@words}, with colons between");
  if (parts[0] === flowEntity) report(`paths that begin with ${flowEntity} are the engine's`);
  if (parts[0]?.startsWith("{")) report("a path begins with a word");
  if ((show === undefined) === (act === undefined)) report("either shows or acts");
  if (act && to.length === 0) report("an action leads somewhere");
  for (const each of to) {
    const known = each.startsWith("flow:") ? places.flow(each.split(":")[1] ?? "") : places.screen(each);
    if (!known) report(`leads to the unknown ${each}`);
  }
  for (const command of commands)
    if (path.includes("{") || !isCommand(command)) report(`/${command} cannot lead here`);
  return errors;
}

function isCommand(command: string): boolean {
  return /^[a-z0-9_]{1,32}(:[\w-]+)?$/.test(command) && command !== "cancel";
}

function clashes<Services>(flows: readonly Flow<Services>[], screens: readonly Route<Services>[]): string[] {
  const doors = [
    ...flows.flatMap((flow) => [
      `the name ${flow.name}`,
      ...Object.keys(flow.entries?.commands ?? {}).map((command) => `the command /${command}`),
      ...(flow.entries?.text ? ["free text"] : []),
      ...Object.keys(flow.entries?.media ?? {}).map((kind) => `media of kind ${kind}`),
    ]),
    ...screens.flatMap(({ path, commands = [] }) => [
      `the path ${path}`,
      ...commands.map((command) => `the command /${command}`),
    ]),
  ];
  return [...new Set(doors.filter((door, index) => doors.indexOf(door) !== index))].map(
    (door) => `${door} belongs to two ${door.startsWith("the path") ? "screens" : "flows"}`,
  );
}

function errorsOf<Services>(flow: Flow<Services>, places: Places): string[] {
  const { edges, states } = graphOf(flow);
  const known = new Set(states.map(({ name }) => name));
  const errors: string[] = [];
  const report = (text: string) => errors.push(`${flow.name}: ${text}`);

  for (const name of known)
    if (!/^[a-z][a-z0-9_]*$/.test(name)) report(`state ${name} is not called by small letters, digits and _`);
  for (const command of Object.keys(flow.entries?.commands ?? {}))
    if (!isCommand(command)) report(`/${command} cannot be a command of a flow`);
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,40}$/.test(flow.name))
    report("a flow is called by at most 41 letters, digits, _ and -");
  for (const [name, state] of Object.entries(flow.states)) {
    for (const id of isWork(state) ? [] : Object.keys(state.buttons ?? {}))
      if (!/^[a-z0-9_]+$/.test(id) || id.length > longest.id)
        report(`button ${id} of ${name} needs an id of at most ${longest.id} small letters, digits and _`);
    if (isAsk(state) && !state.buttons && !state.text && !state.media && !state.commands)
      report(`state ${name} accepts nothing`);
    for (const command of isAsk(state) ? Object.keys(state.commands ?? {}) : [])
      if (!isCommand(command)) report(`/${command} cannot be a command of ${name}`);
    if (isWait(state) && Object.keys(state.wait.outcomes).length === 0)
      report(`state ${name} waits for ever: it has no outcomes`);
  }
  for (const { from, on, to } of edges) {
    if (to.startsWith("flow:")) {
      if (!places.flow(to.slice("flow:".length)))
        report(`${on} of ${from} leads to the unknown flow ${to.slice(5)}`);
    } else if (to.startsWith("screen:")) {
      if (!places.screen(to.slice("screen:".length)))
        report(`${on} of ${from} leads to the unknown screen ${to.slice(7)}`);
    } else if (!to.startsWith("@") && !known.has(to))
      report(`${on} of ${from} leads to the unknown state ${to}`);
    if (flow.states[from] && isWork(flow.states[from]) && (to === "@stay" || to === "@back"))
      report(`the work of ${from} must lead on, not ${to}`);
  }
  const step = (from: string) => edges.filter((edge) => edge.from === from).map(({ to }) => to);
  const reached = closure([outside.entry], step);
  for (const name of known) {
    if (!reached.has(name)) report(`state ${name} cannot be reached`);
    const leads = [...closure([name], step)].some(
      (to) => to === outside.end || to.startsWith("flow:") || to.startsWith("screen:"),
    );
    if (!leads && flow.rivals !== "yield")
      report(`state ${name} has no way out: nothing after it ends the flow`);
  }
  return errors;
}

function closure(from: readonly string[], step: (name: string) => readonly string[]): Set<string> {
  const seen = new Set(from);
  for (const name of seen) for (const next of step(name)) seen.add(next);
  return seen;
}
