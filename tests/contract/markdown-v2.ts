import { type MarkedText, type MarkKind, renderMarks } from "../../src/content/index.ts";

const signs: Partial<Record<MarkKind["type"], string>> = {
  bold: "*",
  italic: "_",
  underline: "__",
  strike: "~",
  spoiler: "||",
};

/** A flow as Telegram's MarkdownV2, as a careful sender would write it. The product itself never needs to. */
export function markdownV2(flow: MarkedText): string {
  const marks = flow.marks.filter(
    ({ kind: { type } }) => type in signs || type === "link" || type === "code",
  );
  return renderMarks(
    { text: flow.text, marks },
    {
      text: escaped,
      wrap(kind, inner, { raw }) {
        if (kind.type === "code") return `\`${raw.replace(/[`\\]/g, "\\$&")}\``;
        if (kind.type === "link") return `[${inner}](${kind.url.replace(/[)\\]/g, "\\$&")})`;
        const sign = signs[kind.type] ?? "";
        // An underscore beside another would be read with it.
        return sign.startsWith("_") ? `**${sign}**${inner}**${sign}**` : sign + inner + sign;
      },
    },
  );
}

function escaped(text: string): string {
  return text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, "\\$&");
}
