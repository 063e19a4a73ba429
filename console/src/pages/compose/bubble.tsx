import { File as FileIcon, Film, ImageIcon } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { type Span, spansOf } from "../../../playground/model/spans.ts";
import { usePageTexts } from "../../texts/index.ts";
import type { RenderedMessage } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { previewOf } from "./upload-file.ts";
import "./bubble.css";

/** One message as a reader sees it. Nothing in it can be followed: it is a picture of a post. */
export function Bubble({ message, workspaceId }: { message: RenderedMessage; workspaceId: string }) {
  const { title, text, marks, media, buttons } = message;
  return (
    <article className="bubble">
      <div className="bubble-body">
        {media.length > 0 && (
          <div className="bubble-media" data-count={Math.min(media.length, 4)}>
            {media.map(({ kind, url }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand twice
              <BubbleMedium key={`${at}/${url}`} kind={kind} source={previewOf(url, workspaceId)} />
            ))}
          </div>
        )}
        {title && <p className="bubble-title">{title}</p>}
        {text && <div className="bubble-text">{draw(spansOf(text, marks))}</div>}
      </div>
      {buttons.map((row) => (
        <div key={row.map((button) => button.text + button.url).join()} className="bubble-buttons">
          {row.map((button) => (
            <span key={button.text + button.url} title={button.url}>
              {button.text}
            </span>
          ))}
        </div>
      ))}
    </article>
  );
}

function BubbleMedium({ kind, source }: { kind: string; source: string | undefined }) {
  const { media: texts } = usePageTexts({ ru, en });
  const kinds: Readonly<Record<string, string>> = texts.kinds;
  const name = kinds[kind] ?? kind;
  if (source && (kind === "photo" || kind === "animation")) return <img src={source} alt={name} />;
  const Icon = kind === "photo" ? ImageIcon : kind === "video" || kind === "animation" ? Film : FileIcon;
  return (
    <span className="bubble-file">
      <Icon aria-hidden="true" />
      {name}
    </span>
  );
}

function draw(spans: readonly Span[]): ReactNode {
  return spans.map((span) => (
    <Fragment key={span.from}>{span.kind === "text" ? span.text : drawMark(span)}</Fragment>
  ));
}

function drawMark({ mark, children }: Extract<Span, { kind: "mark" }>): ReactNode {
  const inside = draw(children);
  switch (mark.type) {
    case "bold":
      return <strong>{inside}</strong>;
    case "heading":
      return <strong className="bubble-heading">{inside}</strong>;
    case "italic":
      return <em>{inside}</em>;
    case "underline":
      return <u>{inside}</u>;
    case "strike":
      return <s>{inside}</s>;
    case "highlight":
      return <mark>{inside}</mark>;
    case "code":
      return <code>{inside}</code>;
    case "pre":
      return <code className="bubble-pre">{inside}</code>;
    case "quote":
    case "expandable_quote":
      return <blockquote>{inside}</blockquote>;
    case "spoiler":
      return <span className="bubble-spoiler">{inside}</span>;
    case "link":
    case "mention":
    case "hashtag":
      return (
        <span className="bubble-link" title={mark.url}>
          {inside}
        </span>
      );
    default:
      return inside;
  }
}
