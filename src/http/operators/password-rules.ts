import { isPublished } from "../../kernel/crypto/index.ts";

export const passwordLength = { min: 10, max: 200 } as const;
const differentCharacters = 5;

/** Long enough for the rule above, but among the first that an attacker tries. */
const wellKnown = new Set([
  "1234567890",
  "0123456789",
  "0987654321",
  "12345678910",
  "123456789a",
  "1q2w3e4r5t",
  "1q2w3e4r5t6y",
  "1qaz2wsx3edc",
  "qwertyuiop",
  "qwerty12345",
  "qwerty123456",
  "йцукенгшщз",
  "password12",
  "password123",
  "password1234",
  "administrator",
  "changeme123",
]);

/** Why a password is too easy to guess, or undefined. */
export function weaknessOf(password: string, login: string): string | undefined {
  const lower = password.toLowerCase();
  if (password.length < passwordLength.min) return `Use at least ${passwordLength.min} characters.`;
  if (password.length > passwordLength.max) return `Use at most ${passwordLength.max} characters.`;
  if (new Set(lower).size < differentCharacters)
    return `Use at least ${differentCharacters} different characters.`;
  if (isPublished(password)) return "Anybody can read this password in Molva's documents.";
  if (wellKnown.has(lower)) return "This password is on every list of common ones.";
  if (lower.includes(login)) return "The password must not contain the login.";
  return undefined;
}
