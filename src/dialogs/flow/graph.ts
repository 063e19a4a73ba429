/** All transitions of a flow, as data and as diagrams. */
import {
  type AskState,
  type Flow,
  listOf,
  type State,
  type Stored,
  type Target,
  type Targets,
  type WaitState,
} from "./flow.ts";
import type { Route } from "./screens.ts";

export interface Edge {
  readonly from: string;
  readonly on: string;
  readonly to: string;
}

export interface Graph {
  readonly flow: string;
  readonly title: { readonly ru: string; readonly en: string };
  readonly states: readonly { readonly name: string; readonly kind: "ask" | "work" | "wait" }[];
  readonly edges: readonly Edge[];
}

/** Where entries come from and where ends lead. */
export const outside = { entry: "@start", end: "@end" } as const;

export function graphOf<Services>(flow: Flow<Services>): Graph {
  const { commands = {}, text, media = {} } = flow.entries ?? {};
  const entries = [
    ...Object.entries(commands).map(([name, entry]) => edge(outside.entry, `/${name}`, entry.to)),
    ...(text ? [edge(outside.entry, "text", text.to)] : []),
    ...Object.entries(media).map(([kind, entry]) => edge(outside.entry, kind, entry.to)),
    edge(outside.entry, `flow:${flow.name}`, flow.first),
  ];
  return {
    flow: flow.name,
    title: flow.title,
    states: Object.entries(flow.states).map(([name, state]) => ({
      name,
      kind: isWork(state) ? "work" : isWait(state) ? "wait" : "ask",
    })),
    edges: [
      ...entries,
      ...Object.entries(flow.states).flatMap(([name, state]) => [
        ...edgesOf(name, state),
        ...(isAsk(state) ? Object.entries(flow.events ?? {}) : []).flatMap(([event, { to }]) =>
          all(name, `!${event}`, to),
        ),
      ]),
    ],
  };
}

export function isWork<Data, Name extends string, Services>(
  state: State<Data, Name, Services>,
): state is Extract<State<Data, Name, Services>, { work: unknown }> {
  return "work" in state;
}

export function isWait<Data, Name extends string, Services>(
  state: State<Data, Name, Services>,
): state is WaitState<Data, Name, Services> {
  return "wait" in state;
}

export function isAsk<Data, Name extends string, Services>(
  state: State<Data, Name, Services>,
): state is AskState<Data, Name, Services> {
  return !isWork(state) && !isWait(state);
}

/** How a state is marked in print. */
const marks = { ask: "", work: " (works)", wait: " (waits)" } as const;

export function printGraph({ flow, title, states, edges }: Graph): string {
  const leaving = (from: string) =>
    edges.filter((each) => each.from === from).map(({ on, to }) => `    ${on} → ${to}`);
  return [
    `${flow} (${title.en})`,
    "  begins",
    ...leaving(outside.entry),
    ...states.flatMap(({ name, kind }) => [`  ${name}${marks[kind]}`, ...leaving(name)]),
  ].join("\n");
}

export function mermaidOf({ edges }: Graph): string {
  const point = (name: string) =>
    name === outside.entry || name === outside.end ? "[*]" : name.replace(/[^\w]/g, "_");
  const lines = edges
    .filter(({ to }) => to !== "@stay" && to !== "@back")
    .map(({ from, on, to }) => `  ${point(from)} --> ${point(to)} : ${on.replace(/:/g, " ")}`);
  return ["stateDiagram-v2", ...lines].join("\n");
}

/** The screens of a bot and where their buttons lead, as text. */
export function printScreens<Services>(routes: readonly Route<Services>[]): string {
  return [
    "Screens",
    ...routes.flatMap(({ path, act, commands = [], to }) => [
      `  ${path}${act ? " (acts)" : ""}${commands.map((command) => ` /${command}`).join("")}`,
      ...to.map((each) => `    → ${each}`),
    ]),
  ].join("\n");
}

export function mermaidOfScreens<Services>(routes: readonly Route<Services>[]): string {
  const point = (name: string) => name.replace(/[^\w]/g, "_");
  const names = new Set(routes.flatMap(({ path, to }) => [path, ...to]));
  return [
    "flowchart LR",
    ...[...names].map((name) => `  ${point(name)}["${name}"]`),
    ...routes.flatMap(({ path, to }) => to.map((each) => `  ${point(path)} --> ${point(each)}`)),
  ].join("\n");
}

function edgesOf<Services>(name: string, state: State<Stored, string, Services>): Edge[] {
  if (isWork(state)) return [...all(name, "done", state.to), edge(name, "failed", state.failed.to)];
  const buttons = Object.entries(state.buttons ?? {}).flatMap(([id, button]) =>
    all(name, `[${id}]`, button.to),
  );
  if (isWait(state))
    return [
      ...buttons,
      ...Object.entries(state.wait.outcomes).flatMap(([outcome, { to }]) => all(name, `*${outcome}`, to)),
    ];
  return [
    ...(state.prepare?.to ?? []).map((to) => edge(name, "prepare", to)),
    ...buttons,
    ...Object.entries(state.commands ?? {}).flatMap(([command, input]) => all(name, `/${command}`, input.to)),
    ...(state.text ? all(name, "text", state.text.to) : []),
    ...Object.entries(state.media ?? {}).flatMap(([kind, input]) => all(name, kind, input.to)),
  ];
}

function all(from: string, on: string, targets: Targets<string>): Edge[] {
  return listOf(targets).map((to) => edge(from, on, to));
}

function edge(from: string, on: string, to: Target<string>): Edge {
  return { from, on, to };
}
