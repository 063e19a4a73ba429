import type { ProblemError } from "../../http/index.ts";

/** Parses the errors that SQL reports, one per line, each beginning with its JSON pointer: `/channel_ids/0 There is no …`. */
export function parsePostErrors(text: string): ProblemError[] {
  return text.split("\n").map((line) => {
    const [, pointer = "", detail = line] = /^(\/\S+) (.+)$/.exec(line) ?? [];
    return { pointer, detail };
  });
}

/** An error that the database found only when the post was stored: a channel that it names was changed in the meantime. */
export function addressError(error: unknown): string | undefined {
  const refused = error instanceof Error && "code" in error && error.code === "22023";
  return refused && error.message.startsWith("/channel_ids/") ? error.message : undefined;
}
