import type { Compiled, CompiledRequest, Found } from "../contract.ts";
import { fingerprint } from "../fingerprint.ts";
import { lookBack, type ReadBack, type Unavailable, unavailable } from "../look-back.ts";
import { boardIdOf } from "./boards.ts";
import { withoutDoubt } from "./classify.ts";
import { type Connection, call } from "./client.ts";
import { clockSlackMs, pageSize, pagesRead } from "./limits.ts";
import { createdAt, type Pin, pinsShape, pinUrl, textOfPin, wordsShape } from "./pin.ts";

interface ReadPin extends ReadBack {
  readonly link: string | undefined;
}

/** Checks whether a Pin arrived, among the newest Pins of its board. */
export async function find(compiled: Compiled, connection: Connection): Promise<Found> {
  const board = await boardIdOf(connection);
  if (board.kind !== "ok") return { kind: "unavailable", error: withoutDoubt(board.error) };
  return lookBack<ReadPin>(compiled, connection.context, {
    async alike(request) {
      const read = await newestPins(board.result, connection);
      if ("kind" in read) return read;
      const wanted = fingerprint(request.text, []);
      const alike = read.pins.filter((pin) => fingerprint(textOfPin(pin), []) === wanted);
      return { messages: alike.map(asReadBack) };
    },
    ownAmong: async (pins, request) => ownAmong(pins, request),
  });
}

const asReadBack = (pin: Pin): ReadPin => ({
  id: pin.id,
  url: pinUrl(pin.id),
  at: createdAt(pin),
  link: pin.link,
});

/** A Pin is recognised by its texts or its link; a picture alone does not identify it. */
function ownAmong(pins: readonly ReadPin[], { body, text }: CompiledRequest): ReadPin | undefined {
  const { link } = wordsShape.parse(body);
  const sameLink = pins.find((pin) => link !== undefined && pin.link === link);
  return sameLink ?? (text.trim() === "" ? undefined : pins[0]);
}

/**
 * Pins of the board since the first attempt, the oldest first. Pinterest returns the newest first unless the owner has
 * arranged them, so a whole page of older ones ends the search.
 */
async function newestPins(
  boardId: string,
  connection: Connection,
): Promise<{ readonly pins: readonly Pin[] } | Unavailable> {
  const since = connection.context.since.getTime() - clockSlackMs;
  const isOlder = (pin: Pin) => (createdAt(pin) ?? since) < since;
  const pins = new Map<string, Pin>();
  let bookmark: string | undefined;
  for (let page = 0; page < pagesRead; page++) {
    const query = { page_size: String(pageSize), ...(bookmark && { bookmark }) };
    const path = `/boards/${encodeURIComponent(boardId)}/pins`;
    const reply = await call({ method: "GET", path, query }, pinsShape, connection);
    if (reply.kind !== "ok") return { kind: "unavailable", error: withoutDoubt(reply.error) };
    for (const pin of reply.result.items) pins.set(pin.id, pin);
    bookmark = reply.result.bookmark;
    if (!bookmark || reply.result.items.every(isOlder))
      return { pins: [...pins.values()].filter((pin) => !isOlder(pin)).reverse() };
  }
  return unavailable(`the board could not be read back to the first try: ${pins.size} Pins have come since`);
}
