import { setTimeout as pause } from "node:timers/promises";

/** Sizes of the chunks in which bytes arrive: a Russian letter is two bytes and is sometimes split. */
const widths = [7, 31, 3, 64, 1, 19, 128];

/** Server-sent events in chunks as a network delivers them. With `cut`, the connection breaks instead of ending. */
export async function* piecesOf(
  events: readonly string[],
  { comment, cut }: { comment: boolean; cut: boolean },
): AsyncIterable<Uint8Array> {
  const text = [
    ...(comment ? [": OPENROUTER PROCESSING\n\n"] : []),
    ...events.map((event) => `data: ${event}\n\n`),
  ];
  const bytes = Buffer.from(text.join(""));
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const width = widths[turn % widths.length] ?? 1;
    yield bytes.subarray(at, at + width);
    at += width;
    // Lets the chunk be sent before the next one, so that readers see several.
    await pause(0);
  }
  if (cut) throw new Error("cut as scripted");
}
