import { z } from "zod";
import type {
  Compiled,
  CorrectionRefusal,
  CorrectionRules,
  Outcome,
  Posted,
  SendError,
} from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import { trackProgress } from "../progress.ts";
import { afterTheFirst, type RequestOutcome, sendSeries } from "../send-series.ts";
import { type Connection, call } from "./client.ts";
import { editableInDialogMs } from "./limits.ts";
import { sendMedia } from "./send-media.ts";
import { whenReady } from "./send-message.ts";

/** What MAX certainly refuses: in a dialog, a message without buttons can be changed for a week only. */
export const corrections: CorrectionRules = {
  editRefusal(posted, next, now) {
    const { compiled, sentAt, targetId = "" } = posted;
    const [first] = compiled.requests;
    if (
      targetId.startsWith("user:") &&
      !first?.body.attachments &&
      now.getTime() - sentAt.getTime() > editableInDialogMs
    )
      return tooLate;
    if (next.requests.length > compiled.requests.length)
      return {
        code: "more_messages",
        message: "the new post needs more messages than the old one has, and MAX cannot insert one",
      };
    return idsRefusal(posted);
  },
  removeRefusal: idsRefusal,
};

function idsRefusal({ compiled, providerMessageIds }: Posted): CorrectionRefusal | undefined {
  if (providerMessageIds.length === compiled.requests.length) return undefined;
  return { code: "message_ids_unknown", message: "MAX's ids of some messages are not on record" };
}

const tooLate: CorrectionRefusal = {
  code: "edit_too_late",
  message: "in a dialog MAX lets a message without buttons be changed for seven days",
};

/** Replaces text, files and buttons as a whole, and deletes messages that are no longer needed. */
export async function edit(next: Compiled, posted: Posted, connection: Connection): Promise<Outcome> {
  const { settings, context } = connection;
  // All parts are written each time, so that a repeated edit changes nothing.
  const progress = trackProgress([], async () => {});
  const turn = afterTheFirst(context.turn);
  const changed = await sendSeries(next, { ...context, progress, turn }, (request, paced) => {
    const mid = posted.providerMessageIds[next.requests.indexOf(request)] ?? "";
    return sendMedia(request, { settings, context: { ...paced, turn } }, (_, body, one) =>
      write(mid, body, one),
    );
  });
  if (changed.kind !== "sent") return changed;
  const surplus = posted.providerMessageIds.slice(next.requests.length);
  return (await takeDown(surplus, { settings, context: { ...context, turn } })) ?? changed;
}

export async function remove(posted: Posted, connection: Connection): Promise<Outcome> {
  const { settings, context } = connection;
  const turn = afterTheFirst(context.turn);
  const missed = await takeDown(posted.providerMessageIds, { settings, context: { ...context, turn } });
  const [providerMessageId = ""] = posted.providerMessageIds;
  return missed ?? { kind: "sent", providerMessageId, raw: { removed: posted.providerMessageIds } };
}

const answerShape = z.object({ success: z.boolean(), message: ifReadable(z.string()) });

/** MAX keeps fields that are absent, so all are sent: no text is an empty string. */
function write(
  mid: string,
  { text = "", format, attachments = [] }: Readonly<Record<string, unknown>>,
  connection: Connection,
): Promise<RequestOutcome> {
  const body = { text, ...(format !== undefined && { format }), attachments };
  return whenReady(connection, async () => {
    const query = { message_id: mid };
    const reply = await call({ method: "PUT", path: "/messages", query, body }, answerShape, connection);
    if (reply.kind !== "ok") return { ...reply, error: inCorrection(reply.error) };
    if (reply.result.success) return { kind: "sent", message: { id: mid, raw: { mid } } };
    return { kind: "failed", error: refusal("not_editable", reply.result.message) };
  });
}

/** Deletes one by one, from the last, so that readers never see the beginning missing. Returns the error, if any. */
async function takeDown(
  mids: readonly string[],
  connection: Connection,
): Promise<Exclude<Outcome, { kind: "sent" }> | undefined> {
  for (const message_id of mids.toReversed()) {
    await connection.context.turn?.();
    const query = { message_id };
    const reply = await call({ method: "DELETE", path: "/messages", query }, answerShape, connection);
    if (reply.kind !== "ok") {
      if (reply.error.code === "message_gone") continue;
      return { ...reply, error: inCorrection(reply.error) };
    }
    if (!reply.result.success)
      return { kind: "failed", error: refusal("not_deletable", reply.result.message) };
  }
  return undefined;
}

function refusal(code: string, message = "MAX refused without a reason"): SendError {
  const late = /too old/i.test(message);
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: late ? tooLate.code : code,
    message,
    raw: { message },
  };
}

/** Another bot's message, or a chat that the bot has left: MAX has one code for both. */
function inCorrection(error: SendError): SendError {
  return error.code === "channel_unavailable" ? { ...error, scope: "delivery", code: "no_right" } : error;
}
