/** A place in the source: a UTF-16 offset, and line and column counted from 1. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Why a text is refused. */
export interface ContentError {
  readonly code: ContentErrorCode;
  readonly message: string;
  /** The field of the payload, as a JSON pointer. */
  readonly pointer?: string;
  readonly position?: Position;
}

export const contentErrorCodes = [
  "text_too_large",
  "lone_surrogate",
  "nul_character",
  "nested_too_deeply",
  "tag_unclosed",
  "tag_unfinished",
  "mark_unclosed",
  "payload_invalid",
  "link_refused",
] as const;
export type ContentErrorCode = (typeof contentErrorCodes)[number];

/** A repair that was made while reading. */
export interface Repair {
  readonly code: RepairCode;
  readonly message: string;
  readonly position?: Position;
}

export const repairTexts = {
  characters_removed: "invisible control characters were removed",
  tag_dropped: "a tag outside the allowed list was dropped, its text was kept",
  content_dropped: "an element that is never text was dropped with what it held",
  link_dropped: "a link to an address that is not allowed was dropped, its text was kept",
  link_completed: "a link without a scheme was completed with https",
  image_as_link: "an image inside the text became a link to it",
  image_dropped: "an image without a usable address was dropped",
  rule_dropped: "a dividing line was dropped",
  html_as_text: "HTML inside Markdown was kept as plain text",
  sign_as_text: "a sign that the dialect reserves was taken as it stands; a backslash before it says so",
  markup_dropped: "the markup could not be read, so the text is sent without any",
} as const;

export type RepairCode = keyof typeof repairTexts;

/** Repairs that lose nothing of the author's text. */
const harmless: ReadonlySet<RepairCode> = new Set(["link_completed", "sign_as_text", "html_as_text"]);

/** Whether something of the author's text was lost. */
export function isLoss({ code }: Repair): boolean {
  return !harmless.has(code);
}

/** Hostile input could cause the same repair a hundred thousand times. */
const mostRepairs = 100;

/** Collects repairs for one source. */
export interface RepairLog {
  readonly repairs: readonly Repair[];
  add(code: RepairCode, offset: number | undefined): void;
}

export function createRepairLog(source: string): RepairLog {
  const repairs: Repair[] = [];
  return {
    repairs,
    add(code, offset) {
      if (repairs.length >= mostRepairs) return;
      const position = offset === undefined ? {} : { position: positionAt(source, offset) };
      repairs.push({ code, message: repairTexts[code], ...position });
    },
  };
}

export function positionAt(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { offset, line: before.split("\n").length, column: offset - lineStart + 1 };
}
