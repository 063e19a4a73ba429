import { Fragment, type ReactNode } from "react";
import { hrefOf } from "../../../playground/model/href.ts";
import { type Span, spansOf } from "../../../playground/model/spans.ts";
import type { MarkView } from "../../../playground/types.ts";

/** A text with its formatting, from the same tree as the chats of the twins; never foreign HTML. */
export function RichText({ text, marks }: { text: string; marks: readonly MarkView[] }) {
  return <div className="rich">{drawn(spansOf(text, marks))}</div>;
}

function drawn(spans: readonly Span[]): ReactNode {
  return spans.map((span) => (
    <Fragment key={span.from}>{span.kind === "text" ? span.text : <Mark span={span} />}</Fragment>
  ));
}

function Mark({ span: { mark, text, children } }: { span: Extract<Span, { kind: "mark" }> }) {
  const inner = drawn(children);
  switch (mark.type) {
    case "bold":
    case "heading":
      return <strong>{inner}</strong>;
    case "italic":
      return <em>{inner}</em>;
    case "underline":
      return <u>{inner}</u>;
    case "strike":
      return <s>{inner}</s>;
    case "highlight":
      return <mark>{inner}</mark>;
    case "code":
      return <code>{inner}</code>;
    case "pre":
      return <pre>{inner}</pre>;
    case "quote":
    case "expandable_quote":
      return <blockquote>{inner}</blockquote>;
    case "link": {
      const href = hrefOf(mark.url ?? text);
      return href ? (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {inner}
        </a>
      ) : (
        inner
      );
    }
    case "spoiler":
      return <span className="spoiler">{inner}</span>;
    default:
      return inner;
  }
}
