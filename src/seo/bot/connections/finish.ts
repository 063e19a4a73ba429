/** How the flows that only connect a platform begin and end. */
import { z } from "zod";
import type { Language } from "../../../dialogs/index.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { both, type Texts, texts } from "../texts/index.ts";

/** For which project, and which connection if it gets another account. */
export const where = z.object({ projectId: z.int(), connectionId: z.int().optional() });
type Where = z.infer<typeof where>;

export const projectId = (data: Where) => data.projectId;
export const connectionId = (data: Where) => data.connectionId;

/** Ends on the connection's card. */
export const onCard =
  (words: (t: Texts) => (place: string) => string) =>
  ({ language }: { readonly language: Language }, { id, title, identifier }: SeoConnection) => ({
    to: `screen:connection:${id}:card` as const,
    notice: words(texts[language])(title ?? identifier),
  });

/** The way on for those who give up. */
export const toConnections = {
  label: both((t) => t.common.toConnections),
  to: "screen:project:{id}:connections",
  press: ({ data }: { readonly data: Where }) => ({
    to: `screen:project:${data.projectId}:connections` as const,
  }),
} as const;
