import { cut } from "../../kernel/words/index.ts";
/** A provider's message in a form that may be stored: short, without keys and without characters that no database accepts. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret) => secret !== undefined && secret !== "");
  const words = known
    .reduce<string>((clean, secret) => clean.replaceAll(secret ?? "", "[key]"), text)
    .replace(/\bsk-[\w-]{8,}/g, "[key]")
    .replace(/Bearer\s+\S+/gi, "Bearer [key]")
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
  return cut(words, 200);
}
