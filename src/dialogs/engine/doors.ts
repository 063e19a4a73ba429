/** What begins a flow or opens a screen: commands, free text, files. */
import type { Entry, Flow, Input, Media, Stored } from "../flow/flow.ts";
import type { ScreenBook } from "../flow/screens.ts";
import type { Update } from "../messenger.ts";
import type { Next } from "./dialogue.ts";
import type { Scene } from "./render.ts";
import { beginning } from "./steps.ts";

/** A way into another flow or onto a screen. */
export type Door<Services> = (
  | { readonly scene: Scene<Services> }
  | { readonly screen: string; readonly argument?: string }
) & { readonly interrupts: boolean; readonly how?: Pick<Next, "edits" | "tap" | "removesLive"> };

/** The input whose command this is; `start:gift_` takes only `/start gift_…`, and before `start`. */
export function inputFor<Services>(
  update: Extract<Update, { kind: "command" }>,
  inputs: Readonly<Record<string, Input<Stored, string, Services, string>>> = {},
): Input<Stored, string, Services, string> | undefined {
  const fitting = Object.entries(inputs).filter(([key]) => isCommand(key, update));
  return fitting.toSorted(([one], [other]) => other.length - one.length)[0]?.[1];
}

function isCommand(key: string, { command, argument }: Extract<Update, { kind: "command" }>): boolean {
  const [name = "", prefix = ""] = key.split(":");
  return name === command && argument.startsWith(prefix);
}

/** The flow or screen that begins with this update. A command may be `start:gift_`, which matches only `/start gift_…`. */
export function doorOf<Services>(
  update: Update,
  flows: ReadonlyMap<string, Flow<Services>>,
  screens: ScreenBook<Services>,
): Door<Services> | undefined {
  let found: { readonly door: Door<Services>; readonly weight: number } | undefined;
  const offer = (key: string, door: () => Door<Services>) => {
    if (!found || key.length > found.weight) found = { door: door(), weight: key.length };
  };
  for (const flow of flows.values()) {
    const { commands = {}, text, media = {} } = flow.entries ?? {};
    if (update.kind === "text" && text) return open(flow, text, update.text, update);
    if (update.kind === "media") {
      const entry = media[update.media.kind];
      if (entry) return open<Services, Media>(flow, entry, update.media, update);
    }
    if (update.kind !== "command") continue;
    for (const [key, entry] of Object.entries(commands))
      if (isCommand(key, update)) offer(key, () => open(flow, entry, update.argument, update));
  }
  if (update.kind === "command")
    for (const { path, commands = [], interrupts = false } of screens.routes)
      for (const key of commands)
        if (isCommand(key, update))
          offer(key, () => ({ screen: path, argument: update.argument, interrupts }));
  return found?.door;
}

function open<Services, Value>(
  flow: Flow<Services>,
  entry: Entry<Stored, string, Value>,
  value: Value,
  { id, messageId = String(id), replyTo }: Update,
): Door<Services> {
  const begun = entry.begin?.(value, { id: messageId, replyTo });
  return { scene: beginning(flow, entry.to, begun), interrupts: entry.interrupts ?? false };
}
