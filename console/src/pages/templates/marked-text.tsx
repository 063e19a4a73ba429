import type { ReactNode } from "react";
import type { Rendering } from "./shapes.ts";

type Mark = Rendering["messages"][number]["marks"][number];

const tags = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "code",
  blockquote: "q",
} as const;

/** A text with its formatting, as a reader sees it. Offsets count UTF-16 units, as strings do. */
export function MarkedText({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const edges = [
    ...new Set([0, text.length, ...marks.flatMap(({ offset, length }) => [offset, offset + length])]),
  ]
    .filter((edge) => edge >= 0 && edge <= text.length)
    .toSorted((one, other) => one - other);
  return (
    <p className="trial-text">
      {edges.slice(0, -1).map((from, at) => {
        const until = edges[at + 1] ?? text.length;
        const over = marks.filter(({ offset, length }) => offset <= from && offset + length >= until);
        return <span key={from}>{over.reduce(dressed, text.slice(from, until))}</span>;
      })}
    </p>
  );
}

function dressed(content: ReactNode, { type }: Mark): ReactNode {
  const known = Object.entries(tags).find(([name]) => name === type)?.[1];
  if (known) {
    const Tag = known;
    return <Tag>{content}</Tag>;
  }
  return type === "link" || type === "text_link" ? <span className="trial-link">{content}</span> : content;
}
