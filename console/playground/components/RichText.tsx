/** A text with its formatting. Renders the tree of spans; never foreign HTML. */
import { Check, ChevronDown, Copy } from "lucide-react";
import { Fragment, type MouseEvent, type ReactNode, useMemo, useState } from "react";
import { type Span, spansOf } from "../model/spans.ts";
import { useSettings } from "../settings.tsx";
import type { MarkView } from "../types.ts";
import { Anchor } from "./Anchor.tsx";

interface Props {
  readonly text: string;
  readonly marks: readonly MarkView[];
  /** A tap on `/command` sends it. */
  readonly runCommand?: (command: string) => void;
}

type MarkSpan = Extract<Span, { kind: "mark" }>;

export function RichText({ text, marks, runCommand }: Props) {
  const spans = useMemo(() => spansOf(text, marks), [text, marks]);
  // As in the messengers, one tap shows every hidden piece of the message.
  const [revealed, setRevealed] = useState(false);

  const draw = (list: readonly Span[]): ReactNode =>
    list.map((span) => (
      <Fragment key={span.from}>{span.kind === "text" ? span.text : drawMark(span)}</Fragment>
    ));

  const drawMark = (span: MarkSpan): ReactNode => {
    const children = draw(span.children);
    switch (span.mark.type) {
      case "bold":
        return <strong>{children}</strong>;
      case "italic":
        return <em>{children}</em>;
      case "underline":
        return <u>{children}</u>;
      case "strike":
        return <s>{children}</s>;
      case "highlight":
        return <mark>{children}</mark>;
      case "code":
        return <code>{children}</code>;
      case "heading":
        return <strong className="heading">{children}</strong>;
      case "quote":
        return <blockquote>{children}</blockquote>;
      case "expandable_quote":
        return <ExpandableQuote>{children}</ExpandableQuote>;
      case "pre":
        return (
          <CodeBlock code={span.text} {...(span.mark.language && { language: span.mark.language })}>
            {children}
          </CodeBlock>
        );
      case "spoiler":
        return revealed ? (
          <span className="spoiler" data-revealed>
            {children}
          </span>
        ) : (
          <Spoiler reveal={() => setRevealed(true)}>{children}</Spoiler>
        );
      case "link":
        return <Anchor address={span.mark.url ?? addressIn(span.text)}>{children}</Anchor>;
      case "mention":
      case "hashtag":
        return <Anchor address={span.mark.url}>{children}</Anchor>;
      case "command":
        return runCommand ? (
          <button type="button" className="command" onClick={() => runCommand(span.text)}>
            {children}
          </button>
        ) : (
          <span className="tag">{children}</span>
        );
      case "custom_emoji":
      case "plain":
        return children;
    }
  };

  return <div className="rich-text">{draw(spans)}</div>;
}

function addressIn(text: string): string {
  return /^[^\s@/]+@[^\s@/]+$/.test(text) ? `mailto:${text}` : text;
}

function Spoiler({ reveal, children }: { reveal: () => void; children: ReactNode }) {
  const { texts } = useSettings();
  const revealOnly = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    reveal();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot break across lines as text does
    <span
      className="spoiler"
      role="button"
      tabIndex={0}
      aria-label={texts.revealText}
      title={texts.revealText}
      onClickCapture={revealOnly}
      onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && reveal()}
    >
      <span className="spoiler-cover" inert>
        {children}
      </span>
    </span>
  );
}

function ExpandableQuote({ children }: { children: ReactNode }) {
  const { texts } = useSettings();
  const [expanded, setExpanded] = useState(false);
  const label = expanded ? texts.collapse : texts.expand;
  return (
    <blockquote className="expandable" data-expanded={expanded}>
      <div>{children}</div>
      <button
        type="button"
        aria-expanded={expanded}
        aria-label={label}
        title={label}
        onClick={() => setExpanded(!expanded)}
      >
        <ChevronDown size={16} aria-hidden />
      </button>
    </blockquote>
  );
}

function CodeBlock({ code, language, children }: { code: string; language?: string; children: ReactNode }) {
  const { texts } = useSettings();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    // Refused outside a secure context; then the button does not show a tick.
    navigator.clipboard?.writeText(code).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const label = copied ? texts.copied : texts.copy;
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language}</span>
        <button type="button" onClick={copy} aria-label={label} title={label}>
          {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
        </button>
      </figcaption>
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  );
}
