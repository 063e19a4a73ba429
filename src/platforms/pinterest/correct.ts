import { z } from "zod";
import type {
  Compiled,
  CompiledMedia,
  CorrectionRefusal,
  CorrectionRules,
  Outcome,
  Posted,
  SendError,
} from "../contract.ts";
import { type Connection, call, type Reply } from "./client.ts";
import { pinShape, pinUrl, wordsShape } from "./pin.ts";

/**
 * What Pinterest certainly refuses, reported before it is asked. Whether the app may change Pins at all is known only
 * from Pinterest's answer.
 */
export const corrections: CorrectionRules = {
  editRefusal(posted, next) {
    if (pictureOf(posted.compiled) !== pictureOf(next))
      return {
        code: "picture_fixed",
        message: "Pinterest cannot change the picture of a Pin: take it back and post a new one",
      };
    return idsRefusal(posted);
  },
  removeRefusal: idsRefusal,
};

function idsRefusal({ compiled, providerMessageIds }: Posted): CorrectionRefusal | undefined {
  if (providerMessageIds.length === compiled.requests.length) return undefined;
  return { code: "message_ids_unknown", message: "Pinterest's number of the Pin is not on record" };
}

function pictureOf({ requests }: Compiled): string {
  const known = ({ url, blobRef, fileId }: CompiledMedia) => blobRef ?? url ?? fileId ?? "";
  return requests.flatMap(({ media }) => media.map(known)).join(" ");
}

/** Replaces title, description, link and alt text; fields that the new post does not have are cleared. */
export async function edit(next: Compiled, posted: Posted, connection: Connection): Promise<Outcome> {
  const [id = ""] = posted.providerMessageIds;
  const words = wordsShape.parse(next.requests[0]?.body);
  const json = {
    title: words.title ?? null,
    description: words.description ?? null,
    link: words.link ?? null,
    alt_text: words.alt_text ?? null,
  };
  const path = `/pins/${encodeURIComponent(id)}`;
  const reply = await call({ method: "PATCH", path, json }, pinShape, connection);
  if (reply.kind === "ok")
    return { kind: "sent", providerMessageId: id, url: pinUrl(id), raw: { pin_id: id } };
  return ofPin(reply, {
    code: "edit_not_allowed",
    message: "Pinterest lets only apps of its beta change Pins, and only those of their own account",
  });
}

export async function remove({ providerMessageIds }: Posted, connection: Connection): Promise<Outcome> {
  const [id = ""] = providerMessageIds;
  const path = `/pins/${encodeURIComponent(id)}`;
  const reply = await call({ method: "DELETE", path }, z.unknown(), connection);
  if (reply.kind === "ok" || statusOf(reply.error) === 404)
    return { kind: "sent", providerMessageId: id, raw: { removed: [id] } };
  return ofPin(reply, {
    code: "post_unavailable",
    message: "Pinterest does not let this account take the Pin back",
  });
}

/** A refusal about the Pin, not about the board: the channel keeps working. */
function ofPin(reply: Exclude<Reply<unknown>, { kind: "ok" }>, forbidden: CorrectionRefusal): Outcome {
  if (reply.kind === "unknown") return reply;
  const { error } = reply;
  const about = { ...error, category: "PERMANENT", scope: "delivery" } as const;
  if (error.code === "channel_unavailable" && statusOf(error) === 403)
    return {
      kind: "failed",
      error: { ...about, code: forbidden.code, message: `${forbidden.message}: ${error.message}` },
    };
  if (statusOf(error) === 404) return { kind: "failed", error: { ...about, code: "post_unavailable" } };
  return reply;
}

const statusShape = z.object({ status: z.int() });

function statusOf({ raw }: SendError): number | undefined {
  return statusShape.safeParse(raw).data?.status;
}
