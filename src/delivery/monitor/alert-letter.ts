import type { Document, Inline } from "../../content/index.ts";
import type { Finding, FindingExample } from "./findings.ts";
import { type AlertTexts, alertTexts, type Language } from "./texts/texts.ts";

/** An alert as a person reads it, before it is formatted for a target. */
export interface AlertLetter {
  readonly subject: string;
  readonly title: string;
  readonly sections: readonly {
    readonly what: string;
    readonly cases: readonly string[];
    readonly todo: string;
  }[];
  readonly console: string;
}

export interface AlertFacts {
  readonly workspace: string;
  readonly timezone: string;
  readonly findings: readonly Finding[];
  readonly consoleUrl: string;
}

/** Provider messages can be long; the console shows them in full. */
const longestMessage = 140;

export function composeLetter(alert: AlertFacts, language: Language): AlertLetter {
  const texts = alertTexts[language];
  const sections = alert.findings.map(({ reason, count, threshold, examples }) => ({
    what: texts.reasons[reason].what(count, threshold),
    cases: examples.map((example) => caseOf(example, reason, alert.timezone, texts)).filter(Boolean),
    todo: texts.reasons[reason].todo,
  }));
  return {
    subject: texts.subject(alert.workspace, sections[0]?.what ?? "", sections.length - 1),
    title: texts.title(alert.workspace),
    sections,
    console: texts.console(alert.consoleUrl),
  };
}

/** The letter that tests whether alerts arrive. */
export function composeTest(
  { workspace, consoleUrl }: Pick<AlertFacts, "workspace" | "consoleUrl">,
  language: Language,
): AlertLetter {
  const { test, console } = alertTexts[language];
  const title = test.title(workspace);
  return {
    subject: title,
    title,
    sections: [{ what: test.what, cases: [], todo: test.todo }],
    console: console(consoleUrl),
  };
}

/** The same without its examples, for a target with little room. */
export function withoutCases(letter: AlertLetter): AlertLetter {
  return { ...letter, sections: letter.sections.map((section) => ({ ...section, cases: [] })) };
}

export function letterText({ title, sections, console }: AlertLetter): string {
  const parts = sections.map(({ what, cases, todo }) =>
    [what, ...cases.map((line) => `• ${line}`), todo].join("\n"),
  );
  return [title, ...parts, console].join("\n\n");
}

export function letterDocument({ title, sections, console }: AlertLetter): Document {
  const text = (value: string): Inline => ({ type: "text", text: value });
  const bold = (value: string): Inline => ({ type: "bold", children: [text(value)] });
  const paragraph = (...children: Inline[]) => ({ type: "paragraph" as const, children });
  return {
    blocks: [
      paragraph(bold(title)),
      ...sections.flatMap(({ what, cases, todo }) => [
        paragraph(
          bold(what),
          ...cases.flatMap((line): Inline[] => [{ type: "break" }, text(`• ${line}`)]),
          { type: "break" },
          text(todo),
        ),
      ]),
      paragraph(text(console)),
    ],
  };
}

function caseOf(
  example: FindingExample,
  reason: Finding["reason"],
  timezone: string,
  texts: AlertTexts,
): string {
  const who =
    example.channel ??
    (example.channel_id && texts.unnamedChannel) ??
    (example.source_id && texts.source(example.source_id)) ??
    example.account ??
    example.action;
  const time = example.since && shownTime(example.since, timezone, texts.locale);
  const about = [
    example.code,
    example.message && clip(example.message),
    example.missing && texts.missing[example.missing],
    time && (reason === "paused_channels_threshold" ? texts.until(time) : texts.since(time)),
  ].filter(Boolean);
  const line = [who, about.join(", ")].filter(Boolean).join(": ");
  return example.count > 1 && line ? `${line} ${texts.times(example.count)}` : line;
}

function shownTime(iso: string, timeZone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "short", timeStyle: "short" }).format(
    new Date(iso),
  );
}

function clip(text: string): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length > longestMessage
    ? `${characters.slice(0, longestMessage - 1).join("")}…`
    : characters.join("");
}
