import type { Compiled, Outcome } from "../contract.ts";
import { sendSeries } from "../send-series.ts";
import { boardIdOf } from "./boards.ts";
import { withoutDoubt } from "./classify.ts";
import type { Connection } from "./client.ts";
import { sendMedia } from "./send-media.ts";

/**
 * Pins on the channel's board. Pinterest does not detect repeats: after an unknown outcome the Pin is looked for before
 * it is sent again.
 */
export async function send(compiled: Compiled, { settings, context }: Connection): Promise<Outcome> {
  const board = await boardIdOf({ settings, context });
  if (board.kind !== "ok") return { kind: "failed", error: withoutDoubt(board.error) };
  return sendSeries(compiled, context, (request, paced) =>
    sendMedia(request, board.result, { settings, context: paced }),
  );
}
