import { z } from "zod";

const idShape = z.union([z.string(), z.number()]).transform(String);

/** How an adapter reports the messages that it made: one for each request; those of an album in `raw.message_ids`. */
const messagesShape = z.object({
  raw: z.object({
    messages: z
      .array(
        z.object({
          id: idShape,
          raw: z
            .object({ message_ids: z.array(idShape).min(1) })
            .optional()
            .catch(undefined),
        }),
      )
      .min(1),
  }),
});

/** The provider's ids of a post's messages, in order, as stored when it was sent or last changed. */
export function messageIdsOf(providerMessageId: string | null, meta: unknown): string[] {
  const told = messagesShape.safeParse(meta).data?.raw.messages;
  if (told) return told.flatMap(({ id, raw }) => raw?.message_ids ?? [id]);
  return providerMessageId ? [providerMessageId] : [];
}
