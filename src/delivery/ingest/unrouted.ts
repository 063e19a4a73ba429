import { z } from "zod";

const filters = [
  "disabled",
  "exclude",
  "include_any",
  "include_all",
  "takes_everything",
  "takes_it",
] as const;

/** Why no channel takes a post: which filters exclude it. Channels are counted, not named, because senders read this. */
export const unroutedSchema = z
  .object({
    tags: z.array(z.string()).describe("The post's own"),
    channels: z.int().describe("How many the workspace has"),
    because: z.array(
      z.object({
        filter: z
          .enum(filters)
          .describe(
            "`disabled`: switched off; `exclude`, `include_any`, `include_all`: the filter that the post fails; `takes_everything`: not for a post with tagged_only; `takes_it`: changed since the post came",
          ),
        channels: z.int(),
        tags: z.array(z.string()).describe("Tags that the filter asks for, or excludes; the first ten"),
      }),
    ),
  })
  .meta({ id: "Unrouted" });
export type Unrouted = z.infer<typeof unroutedSchema>;

/** The same as a sentence for people at a terminal. */
export function unroutedText({ tags, channels, because }: Unrouted): string {
  if (channels === 0) return "The workspace has no channels yet: molva channel add.";
  const of = tags.length > 0 ? `with the tags ${tags.join(", ")}` : "without tags";
  const reasons = because.map((each) => sentences[each.filter](each.channels, each.tags.join(", ")));
  return `No channel takes a post ${of}: ${reasons.join("; ")}.`;
}

const one = (count: number, single: string, several: string) =>
  count === 1 ? `1 ${single}` : `${count} ${several}`;

const sentences: Record<(typeof filters)[number], (channels: number, tags: string) => string> = {
  disabled: (count) => one(count, "channel is switched off", "channels are switched off"),
  exclude: (count, tags) => `${one(count, "channel excludes", "channels exclude")} ${tags}`,
  include_any: (count, tags) => `${one(count, "channel asks", "channels ask")} for one of ${tags}`,
  include_all: (count, tags) => `${one(count, "channel asks", "channels ask")} also for ${tags}`,
  takes_everything: (count) =>
    `${one(count, "channel takes", "channels take")} every post, but this one is for channels that ask for its tags`,
  takes_it: (count) =>
    `${one(count, "channel takes", "channels take")} such posts now, but did not when it came`,
};
