/** Channels as a YAML file. This module brings the `yaml` package and is loaded only with the page of the file. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, stringify, type YAMLMap } from "yaml";
import type { Channel } from "../shapes.ts";
import { identity, keys, writable } from "./fields.ts";

export type Entry = Readonly<Record<string, unknown>> & {
  readonly platform: string;
  readonly target_id: string;
};

export type Fault =
  | { readonly line: number; readonly kind: "syntax"; readonly detail: string }
  | { readonly line: number; readonly kind: "unknown"; readonly detail: string }
  | { readonly line: number; readonly kind: "missing"; readonly detail: string }
  | { readonly line: number; readonly kind: "twice"; readonly detail: string }
  | { readonly line: number; readonly kind: "shape"; readonly detail: string };

export type Read =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

export function writeFile(channels: readonly Channel[]): string {
  const entries = channels.map((channel) => {
    const values: Readonly<Record<string, unknown>> = channel;
    return Object.fromEntries(keys.map((key) => [key, values[key]]));
  });
  return stringify({ channels: entries }, { lineWidth: 0 });
}

/** Reads everything or nothing; each fault names its line. */
export function readFile(text: string): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const faults: Fault[] = document.errors.map(({ pos, message }) => ({
    line: lineOf(pos[0]),
    kind: "syntax",
    detail: message,
  }));
  if (faults.length > 0) return { ok: false, faults };
  const at = (node: unknown) => lineOf(hasRange(node) ? node.range?.[0] : undefined);
  const root = document.contents;
  if (!isMap(root)) return { ok: false, faults: [{ line: 1, kind: "shape", detail: "channels" }] };
  for (const { key } of root.items)
    if (nameOf(key) !== "channels") faults.push({ line: at(key), kind: "unknown", detail: nameOf(key) });
  const list = root.get("channels", true);
  if (!isSeq(list)) faults.push({ line: at(list), kind: "shape", detail: "channels" });
  const entries: Entry[] = [];
  const seen = new Set<string>();
  for (const item of isSeq(list) ? list.items : []) {
    if (!isMap(item)) {
      faults.push({ line: at(item), kind: "shape", detail: "channel" });
      continue;
    }
    for (const { key } of item.items)
      if (!keys.includes(nameOf(key))) faults.push({ line: at(key), kind: "unknown", detail: nameOf(key) });
    const entry = entryOf(item);
    if (!entry) {
      const missing = identity.filter((key) => textAt(item, key) === undefined);
      faults.push({ line: at(item), kind: "missing", detail: missing.join(", ") });
      continue;
    }
    const name = `${entry.platform}/${entry.target_id}`;
    if (seen.has(name)) faults.push({ line: at(item), kind: "twice", detail: name });
    seen.add(name);
    entries.push(entry);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, entries };
}

function entryOf(item: YAMLMap): Entry | undefined {
  const platform = textAt(item, "platform");
  const target_id = textAt(item, "target_id");
  if (platform === undefined || target_id === undefined) return undefined;
  const values: unknown = item.toJSON();
  return { ...(typeof values === "object" ? values : {}), platform, target_id };
}

/** A chat's number may stand without quotes; its text is taken as written, because such numbers are longer than a double keeps. */
function textAt(item: YAMLMap, key: string): string | undefined {
  const node = item.get(key, true);
  if (!isScalar(node) || node.value === null) return undefined;
  return (
    (typeof node.value === "string" ? node.value : (node.source ?? String(node.value))).trim() || undefined
  );
}

const nameOf = (key: unknown) => String(isScalar(key) ? key.value : key);

function hasRange(node: unknown): node is Node {
  return typeof node === "object" && node !== null && "range" in node;
}

export interface Plan {
  readonly added: readonly Entry[];
  readonly changed: readonly {
    readonly channel: Channel;
    readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  }[];
  readonly same: number;
  /** In the workspace and not in the file. They stay as they are. */
  readonly unmentioned: readonly Channel[];
}

/** What the file would change. What a channel of the file does not mention stays. */
export function planOf(entries: readonly Entry[], channels: readonly Channel[]): Plan {
  const known = new Map<string, Channel>();
  for (const channel of channels)
    for (const target of [channel.target_name, channel.target_id])
      if (target) known.set(`${channel.platform}/${target}`, channel);
  const found = entries.map((entry) => ({
    entry,
    channel: known.get(`${entry.platform}/${entry.target_id}`),
  }));
  const mentioned = new Set(found.map(({ channel }) => channel?.channel_id));
  const pairs = found.flatMap(({ entry, channel }) =>
    channel ? [{ channel, changes: changesOf(entry, channel) }] : [],
  );
  const changed = pairs.filter(({ changes }) => Object.keys(changes).length > 0);
  return {
    added: found.filter(({ channel }) => !channel).map(({ entry }) => entry),
    changed,
    same: pairs.length - changed.length,
    unmentioned: channels.filter(({ channel_id }) => !mentioned.has(channel_id)),
  };
}

function changesOf(entry: Entry, channel: Channel) {
  const before: Readonly<Record<string, unknown>> = channel;
  return Object.fromEntries(
    writable
      .filter((key) => Object.hasOwn(entry, key) && inOrder(entry[key]) !== inOrder(before[key]))
      .map((key) => [key, { from: before[key], to: entry[key] }]),
  );
}

/** The order of keys means nothing. */
function inOrder(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
