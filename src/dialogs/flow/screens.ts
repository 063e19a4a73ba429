/**
 * Screens outside flows. A screen has an address (`project:12:card`), which is also what its buttons carry, so that a tap
 * works from any message of the chat. It remembers nothing: whoever comes gets what is true now.
 */
import type { Saying, Stored, Style, Visit } from "./flow.ts";
import type { Source } from "./outgoing.ts";
import { longest } from "./payload.ts";
import type { Text } from "./text.ts";

/** `{id}` takes a whole number, `{@platform}` a word of letters, digits, `_` and `-`. */
export type ParamsOf<Path extends string> = Path extends `${infer Head}:${infer Rest}`
  ? ParamOf<Head> & ParamsOf<Rest>
  : ParamOf<Path>;
type ParamOf<Part extends string> = Part extends `{@${infer Name}}`
  ? { readonly [Each in Name]: string }
  : Part extends `{${infer Name}}`
    ? { readonly [Each in Name]: number }
    : unknown;
type Params = Readonly<Record<string, string | number>>;

/** Leads to an address, opens a link, or copies a text. */
export type ScreenKey = { readonly label: string; readonly style?: Style } & (
  | { readonly to: string }
  | { readonly url: string }
  | { readonly copy: string }
);

/** What a screen shows. Empty rows are left out. */
export interface View {
  readonly text: Text;
  readonly picture?: Source;
  readonly buttons: readonly (readonly ScreenKey[])[];
}

/** Who looks, and how they came. */
export interface Guest<Services> extends Visit<Services> {
  /** What followed the command, such as the payload of a deep link. */
  readonly argument?: string | undefined;
}

/** Where an action leads: an address, or a flow with its beginning. */
export interface Acted {
  /** `project:12:card` or `flow:ProjectEdit`; needed unless one target without parameters is declared. */
  readonly to?: string;
  /** What the flow begins with, as far as its schema knows it. */
  readonly data?: Stored;
  /** The state in which the flow begins, if it is not its first. */
  readonly state?: string;
  /** What is kept of that flow is of no use any more: it is forgotten, and the person is not asked about it. */
  readonly forgets?: boolean;
  readonly notice?: Text;
  readonly say?: readonly Saying[];
  /** A short answer above the chat. */
  readonly toast?: string;
}

export interface Route<Services> {
  readonly path: string;
  /** Every path and `flow:Name` that its buttons or its action lead to. */
  readonly to: readonly string[];
  /** Commands that lead here, without their slash, as in a flow's entries; only for paths without parameters. */
  readonly commands?: readonly string[];
  /** Its commands leave the current flow without asking; taps and labels do what the flow says. */
  readonly interrupts?: boolean;
  /** Within a flow its commands are not followed: the flow is named instead. */
  readonly waitsForFlow?: boolean;
  /** Undefined if there is no such thing, or it is not this person's. */
  show?(params: Params, guest: Guest<Services>): Promise<View | undefined> | View | undefined;
  act?(params: Params, guest: Guest<Services>): Promise<Acted | undefined> | Acted | undefined;
}

interface Shape {
  readonly to: readonly string[];
  readonly commands?: readonly string[];
  readonly interrupts?: boolean;
  readonly waitsForFlow?: boolean;
}

/**
 * Gives screens and actions the types of their parameters.
 *
 * @example
 * const { screen, action } = screensOf<Services>();
 * export const card = screen("project:{id}:card", {
 *   to: ["project:{id}:delete"],
 *   async show({ id }, { sql, userId, services }) {
 *     const project = await services.project(sql, userId, id);
 *     return project && { text: project.name, buttons: [[{ label: "Удалить", to: `project:${id}:delete` }]] };
 *   },
 * });
 */
export function screensOf<Services>() {
  return {
    /** Reads and shows; changes nothing. */
    screen: <Path extends string>(
      path: Path,
      shape: Shape & {
        show(params: ParamsOf<Path>, guest: Guest<Services>): Promise<View | undefined> | View | undefined;
      },
    ): Route<Services> => ({ path, ...shape }) as Route<Services>,
    /** Changes something, then leads to a screen or a flow. */
    action: <Path extends string>(
      path: Path,
      shape: Shape & {
        act(params: ParamsOf<Path>, guest: Guest<Services>): Promise<Acted | undefined> | Acted | undefined;
      },
    ): Route<Services> => ({ path, ...shape }) as Route<Services>,
  };
}

export interface Found<Services> {
  readonly route: Route<Services>;
  readonly params: Params;
}

export interface ScreenBook<Services> {
  /** The screen or action at an address; of several, the one with the fewest parameters. */
  find(address: string): Found<Services> | undefined;
  readonly routes: readonly Route<Services>[];
}

/** The engine's own addresses begin with it: `flow:ProjectCreate:resume`. */
export const flowEntity = "flow";
export const flowActions = ["resume", "restart", "discard", "offer"] as const;
export type FlowAction = (typeof flowActions)[number];

/** The address of a button that goes on with a flow that is kept; a flow itself is begun by an action, which may refuse. */
export function flowAddress(flow: string, action: FlowAction): string {
  return `${flowEntity}:${flow}:${action}`;
}

export function readFlowAddress(address: string): { flow: string; action: FlowAction } | undefined {
  const [entity, flow = "", name, ...more] = address.split(":");
  const action = flowActions.find((each) => each === name);
  return entity === flowEntity && flow !== "" && action && more.length === 0 ? { flow, action } : undefined;
}

const addressShape = /^[A-Za-z0-9_-]+(?::[A-Za-z0-9_-]+)*$/;

/** A button's payload is an address; the payloads of flows have dots. */
export function isAddress(payload: string): boolean {
  return Buffer.byteLength(payload) <= longest.payload && addressShape.test(payload);
}

export function screenBook<Services>(routes: readonly Route<Services>[]): ScreenBook<Services> {
  // Found by the first word and the number of words, then by the fewest parameters.
  const byParameters = routes.toSorted((one, other) => parametersOf(one.path) - parametersOf(other.path));
  const rooms = new Map<string, { route: Route<Services>; parts: string[] }[]>();
  for (const route of byParameters) {
    const parts = route.path.split(":");
    const room = `${parts[0]}/${parts.length}`;
    rooms.set(room, [...(rooms.get(room) ?? []), { route, parts }]);
  }
  return {
    routes,
    find(address) {
      if (!isAddress(address)) return undefined;
      const words = address.split(":");
      for (const { route, parts } of rooms.get(`${words[0]}/${words.length}`) ?? []) {
        const params = matched(parts, words);
        if (params) return { route, params };
      }
      return undefined;
    },
  };
}

/** Whether an address, or another path, fits a declared path. */
export function fits(path: string, address: string): boolean {
  if (path === address) return true;
  // Most differ in their first word, which has no parameter: no need to split them.
  const entity = path.indexOf(":") + 1;
  if (!address.startsWith(path.slice(0, entity))) return false;
  const [parts, words] = [path.split(":"), address.split(":")];
  return parts.length === words.length && matched(parts, words) !== undefined;
}

function parametersOf(path: string): number {
  return path.split(":").filter((part) => part.startsWith("{")).length;
}

function matched(parts: readonly string[], words: readonly string[]): Params | undefined {
  const params: Record<string, string | number> = {};
  for (const [index, part] of parts.entries()) {
    const word = words[index] ?? "";
    if (part.startsWith("{@")) params[part.slice(2, -1)] = word;
    else if (part.startsWith("{")) {
      const number = Number(word);
      if (!/^\d{1,15}$/.test(word) || !Number.isSafeInteger(number)) return undefined;
      params[part.slice(1, -1)] = number;
    } else if (part !== word) return undefined;
  }
  return params;
}
