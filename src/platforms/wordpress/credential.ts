import { z } from "zod";
import type { Credential } from "../contract.ts";
import type { CredentialDefinition } from "../definition.ts";
import { siteAddress } from "./address.ts";

/** A site, and an application password of a user who may write there. */
export const credential = {
  fields: {
    url: {
      about: "The site's address, such as https://example.com or example.com/blog",
      open: true,
      schema: z.string().transform((typed, context) => {
        const address = siteAddress(typed);
        if (address) return address;
        context.addIssue("must be the address of a site, such as https://example.com");
        return z.NEVER;
      }),
    },
    login: {
      about: "The login or e-mail of whoever writes",
      open: true,
      schema: z
        .string()
        .trim()
        .regex(
          /^[^:\p{C}]{1,100}$/u,
          "must be a login or an e-mail address: up to 100 characters without a colon",
        ),
    },
    app_password: {
      about: "An application password, made in the site's profile of that person: 24 letters and digits",
      schema: z
        .string()
        .transform((typed) => typed.replace(/\s/g, ""))
        .pipe(
          z
            .string()
            .regex(
              /^[a-z0-9]{24}$/i,
              "must be an application password of 24 letters and digits, not the password of the account: make one in the site's profile, under Application Passwords",
            ),
        ),
    },
  },
} satisfies CredentialDefinition;

export interface Account {
  /** Normalised by `siteAddress`. */
  readonly url: string;
  readonly login: string;
  readonly password: string;
}

export function accountOf({ url, login, app_password: password }: Credential): Account {
  if (url === undefined || login === undefined || password === undefined)
    throw new Error("a credential without its fields came to an adapter");
  return { url, login, password };
}

export const authorizationOf = ({ login, password }: Account): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
