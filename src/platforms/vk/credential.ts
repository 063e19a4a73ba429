import { z } from "zod";
import type { CredentialDefinition } from "../definition.ts";

/** A community's key, or a person's key of an application with access to walls. */
export const credential = {
  fields: {
    token: {
      about: "The community's key, or a person's key with the rights wall, photos and groups",
      schema: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{8,1000}$/, "8 to 1000 printable characters without spaces")
        .refine(
          (token) => !token.startsWith("vk2."),
          "is a VK ID key, which may not post on walls: make a key in the community's settings, under API, with the right to its wall",
        ),
    },
  },
} satisfies CredentialDefinition;
