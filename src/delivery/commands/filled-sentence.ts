import { moment } from "../../terminal/index.ts";

/** The text of a reason with its facts filled in: `due_at` becomes a time, `error` its code and message. */
export function filledSentence(text: string, details: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/`(\w+)`/g, (_, name: string) => {
    const value = details[name];
    if (typeof value !== "string") return `the ${name} below`;
    return name.endsWith("_at") || name.endsWith("_until") ? moment(value) : value;
  });
}

/** `code: message`; nothing for what is no error. */
export function errorLine(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { code, message } = { code: "", message: "", ...error };
  return `${code}: ${message}`;
}
