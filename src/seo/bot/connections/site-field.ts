/** What is typed about a site: labels, links to other sites, the site of the originals. */
import { z } from "zod";
import type { Language } from "../../../dialogs/index.ts";
import {
  changeSiteMetadata,
  type SiteMetadata,
  type SiteMetadataChanges,
  siteMetadata,
  siteMetadataOf,
} from "../../connections/site-metadata.ts";
import { inactivity } from "../limits.ts";
import { action, flow, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { siteOf } from "./site-settings.ts";

const typedFields = ["categories", "tags", "external_links", "canonical"] as const;
type TypedField = (typeof typedFields)[number];

export const beginSiteField = action("connection:{id}:site:{@field}", {
  to: ["flow:SiteSettings"],
  async act({ id, field }, visit) {
    const known = typedFields.find((each) => each === field);
    return known && (await siteOf(id, visit)) ? { data: { connectionId: id, field: known } } : undefined;
  },
});

const data = z.object({ connectionId: z.int(), field: z.enum(typedFields), now: z.string() });

/** One value of a site's settings. */
export const siteFieldFlow = flow({
  name: "SiteSettings",
  title: both((t) => t.connections.site.title),
  data,
  empty: { connectionId: 0, field: "categories", now: "" },
  first: "field_value",
  rivals: "replace",
  inactivity,
  states: {
    field_value: {
      ask: ({ field, now }, language) => {
        const say = texts[language].connections.site;
        return `${say[wordsOf[field]].ask}\n\n${now === "" ? say.notSet : say.now(now)}`;
      },
      prepare: {
        async take(turn) {
          const connection = await siteOf(turn.data.connectionId, turn);
          return { data: { now: connection ? inWords(turn.data.field, siteMetadataOf(connection)) : "" } };
        },
      },
      text: {
        to: "screen:connection:{id}:card",
        async take(turn, typed) {
          const changes = read(turn.data.field, typed);
          if (!changes)
            return { refuse: texts[turn.language].connections.site[wordsOf[turn.data.field]].refusal };
          return saved(turn, changes);
        },
      },
      buttons: {
        clear: {
          label: both((t) => t.connections.site.clear),
          when: ({ now }) => now !== "",
          to: "screen:connection:{id}:card",
          press: (turn) => saved(turn, { [turn.data.field]: null }),
        },
        card: {
          label: both((t) => t.connections.toConnection),
          to: "screen:connection:{id}:card",
          press: ({ data: { connectionId } }) => ({ to: `screen:connection:${connectionId}:card` }),
        },
      },
    },
  },
});

const wordsOf = {
  categories: "categories",
  tags: "tags",
  external_links: "external",
  canonical: "canonical",
} as const satisfies Record<TypedField, string>;

async function saved(
  turn: Parameters<typeof inStep>[0] &
    Parameters<typeof whoseOf>[0] & { readonly data: z.infer<typeof data>; readonly language: Language },
  changes: SiteMetadataChanges,
) {
  const { connectionId } = turn.data;
  await changeSiteMetadata(inStep(turn), whoseOf(turn), connectionId, changes);
  return {
    to: `screen:connection:${connectionId}:card` as const,
    notice: texts[turn.language].connections.site.saved,
  };
}

function read(field: TypedField, typed: string): SiteMetadata | undefined {
  const value =
    field === "canonical" ? typed.trim() : field === "external_links" ? linksIn(typed) : labelsIn(typed);
  if (value.length === 0) return undefined;
  return siteMetadata.safeParse({ [field]: value }).data;
}

/** Each once, parted by commas or lines. */
const labelsIn = (typed: string) => [
  ...new Set(
    typed
      .split(/[,;\n]/)
      .map((each) => each.trim())
      .filter((each) => each !== ""),
  ),
];

/** `Название — https://…`, a line each, in either order. */
function linksIn(typed: string) {
  return typed
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const url = /https?:\/\/\S+/.exec(line)?.[0] ?? "";
      return { url, title: withoutSeparators(line.replace(url, "")) };
    });
}

const separators = " \t—–:|-";

function withoutSeparators(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && separators.includes(text.charAt(from))) from += 1;
  while (to > from && separators.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to).trim();
}

function inWords(field: TypedField, site: SiteMetadata): string {
  if (field === "canonical") return site.canonical ?? "";
  if (field === "external_links")
    return (site.external_links ?? []).map(({ title, url }) => `${title} — ${url}`).join("\n");
  return (site[field] ?? []).join(", ");
}
