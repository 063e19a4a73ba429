/** Checks what the compiler cannot, once, when flows are registered. */
import type { Flow } from "./flow.ts";
import { graphOf, isWork, outside } from "./graph.ts";
import { longest } from "./payload.ts";

export class FlowError extends Error {
  override readonly name = "FlowError";
}

export type FlowBook<Services> = ReadonlyMap<string, Flow<Services>>;

/** Every flow by its name. Throws with all errors at once. */
export function registerFlows<Services>(flows: readonly Flow<Services>[]): FlowBook<Services> {
  const book = new Map(flows.map((flow) => [flow.name, flow]));
  const errors = [...clashes(flows), ...flows.flatMap((flow) => errorsOf(flow, book))];
  if (errors.length > 0)
    throw new FlowError(`These flows cannot run:\n${errors.map((error) => `- ${error}`).join("\n")}`);
  return book;
}

function clashes<Services>(flows: readonly Flow<Services>[]): string[] {
  const doors = flows.flatMap((flow) => [
    `the name ${flow.name}`,
    ...Object.keys(flow.entries?.commands ?? {}).map((command) => `the command /${command}`),
    ...(flow.entries?.text ? ["free text"] : []),
    ...Object.keys(flow.entries?.media ?? {}).map((kind) => `media of kind ${kind}`),
  ]);
  return [...new Set(doors.filter((door, index) => doors.indexOf(door) !== index))].map(
    (door) => `${door} belongs to two flows`,
  );
}

function errorsOf<Services>(flow: Flow<Services>, book: FlowBook<Services>): string[] {
  const { edges, states } = graphOf(flow);
  const known = new Set(states.map(({ name }) => name));
  const errors: string[] = [];
  const report = (text: string) => errors.push(`${flow.name}: ${text}`);

  for (const name of known)
    if (!/^[a-z][a-z0-9_]*$/.test(name)) report(`state ${name} is not called by small letters, digits and _`);
  for (const command of Object.keys(flow.entries?.commands ?? {}))
    if (!/^[a-z0-9_]{1,32}(:[\w-]+)?$/.test(command) || command === "cancel")
      report(`/${command} cannot be a command of a flow`);
  for (const [name, state] of Object.entries(flow.states)) {
    for (const id of isWork(state) ? [] : Object.keys(state.buttons ?? {}))
      if (!/^[a-z0-9_]+$/.test(id) || id.length > longest.id)
        report(`button ${id} of ${name} needs an id of at most ${longest.id} small letters, digits and _`);
    if (!isWork(state) && !state.buttons && !state.text && !state.media)
      report(`state ${name} accepts nothing`);
  }
  for (const { from, on, to } of edges) {
    if (to.startsWith("flow:")) {
      if (!book.has(to.slice("flow:".length)))
        report(`${on} of ${from} leads to the unknown flow ${to.slice(5)}`);
    } else if (!to.startsWith("@") && !known.has(to))
      report(`${on} of ${from} leads to the unknown state ${to}`);
    if (flow.states[from] && isWork(flow.states[from]) && (to === "@stay" || to === "@back"))
      report(`the work of ${from} must lead on, not ${to}`);
  }
  const step = (from: string) => edges.filter((edge) => edge.from === from).map(({ to }) => to);
  const reached = closure([outside.entry], step);
  for (const name of known) {
    if (!reached.has(name)) report(`state ${name} cannot be reached`);
    const leads = [...closure([name], step)].some((to) => to === outside.end || to.startsWith("flow:"));
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
