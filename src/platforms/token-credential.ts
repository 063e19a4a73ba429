import { z } from "zod";
import type { Credential } from "./contract.ts";
import type { CredentialDefinition } from "./definition.ts";

/** The credential of platforms that need only a token. */
export const tokenCredential = {
  fields: {
    token: {
      about: "The bot's token",
      schema: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{8,1000}$/, "8 to 1000 printable characters without spaces"),
    },
  },
} satisfies CredentialDefinition;

/** The context of such adapters. */
export type WithToken<Context> = Context & { readonly token: string };

export function withToken<Context extends { readonly credential: Credential }>(
  context: Context,
): WithToken<Context> {
  const { token } = context.credential;
  if (token === undefined) throw new Error("a credential without its token came to an adapter");
  return { ...context, token };
}
