/** Where an account may publish: asked of the platform, shown to choose from. */
import { z } from "zod";
import type { Language } from "../../../dialogs/index.ts";
import { pageOf, pagerItems } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import type { Credential, SendError } from "../../../platforms/index.ts";
import type { Said } from "../../said.ts";
import type { PlatformType } from "../../settings/shape.ts";
import type { BotServices } from "../services.ts";
import { both, texts } from "../texts/index.ts";

/** A chat remembers no more than this of a long list. */
const most = 200;

export const places = z.array(z.object({ id: z.string(), title: z.string(), members: z.int().optional() }));
export type Places = z.infer<typeof places>;

export type Listed =
  | { readonly ok: true; readonly places: Places }
  | { readonly ok: false; readonly error: SendError };

export async function listPlaces(
  { platforms, providers, clock }: BotServices,
  platform: PlatformType,
  credential: Credential,
): Promise<Listed> {
  const answer = await platforms.platformOf(platform).places?.(credential, { http: providers, clock });
  if (!answer) throw new Error(`${platform} does not tell where an account may publish`);
  if (answer.kind === "unavailable") return { ok: false, error: answer.error };
  const listed = answer.places.slice(0, most).map(({ targetId, title, members }) => ({
    ...{ id: targetId, title: cut(title, 100) },
    ...(members !== undefined && { members }),
  }));
  return { ok: true, places: listed };
}

/** Errors that a platform did not put into words of its own. */
const wordless: ReadonlySet<string> = new Set([
  ...["upstream_unavailable", "upstream_unreachable", "outcome_unknown", "unexpected_status"],
]);

/** What the platform said, or that it said nothing. */
export const reasonOf = ({ code, message }: SendError): Said =>
  wordless.has(code) ? both((t) => t.connections.noAnswer) : { ru: message, en: message };

/** One button for each place of a page: its name, and how many read it. */
export function placeItems(all: Places, page: number, language: Language) {
  return pageOf(all, page).items.map(({ id, title, members }) => ({
    arg: id,
    label:
      members === undefined
        ? cut(title, 60)
        : `${cut(title, 40)} · ${texts[language].connections.members(members)}`,
  }));
}

export const placePager = (all: Places, page: number) => pagerItems(pageOf(all, page));
