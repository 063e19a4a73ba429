import type { RenderReport } from "../render/index.ts";

type Message = RenderReport["messages"][number];

/** A message as its readers see it, as far as a terminal can show it. */
export function readerView({ title, text, marks, media, buttons }: Message, styled: boolean): string {
  return [
    ...media.map(({ kind, url, blobRef, fileId }) => `[${kind}] ${url ?? blobRef ?? fileId}`),
    ...(title
      ? [styled ? withStyles(title, [{ type: "bold", offset: 0, length: title.length }]) : title, ""]
      : []),
    ...(text ? [styled ? withStyles(text, marks) : text] : []),
    ...buttons.map((row) => row.map((button) => `[ ${button.text} → ${button.url} ]`).join(" ")),
  ].join("\n");
}

/** Escape codes that switch a style on and off. */
const styles: ReadonlyMap<string, readonly [on: number, off: number]> = new Map([
  ["bold", [1, 22]],
  ["heading", [1, 22]],
  ["italic", [3, 23]],
  ["underline", [4, 24]],
  ["link", [4, 24]],
  ["mention", [4, 24]],
  ["strike", [9, 29]],
  ["spoiler", [7, 27]],
  ["highlight", [7, 27]],
  ["code", [36, 39]],
  ["pre", [36, 39]],
  ["quote", [90, 39]],
]);

function withStyles(text: string, marks: Message["marks"]): string {
  const codes = marks.flatMap(({ type, offset, length }) => {
    const [on, off] = styles.get(type) ?? [];
    return on === undefined
      ? []
      : [
          { at: offset, code: on },
          { at: offset + length, code: off },
        ];
  });
  let written = "";
  let from = 0;
  for (const { at, code } of codes.toSorted((one, other) => one.at - other.at)) {
    written += `${text.slice(from, at)}\u001b[${code}m`;
    from = at;
  }
  return written + text.slice(from);
}
