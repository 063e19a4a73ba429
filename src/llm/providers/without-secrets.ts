import { cut } from "../../kernel/words/index.ts";
/** A provider's words as they may be kept: short, without keys and without signs that no database takes. */
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
