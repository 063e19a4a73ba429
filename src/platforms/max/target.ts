import type { TargetDefinition } from "../definition.ts";

/** The chat's number, or user:42 (a person). */
export const target: TargetDefinition = {
  about: "MAX: the chat's number; a person is `user:<id>`",
  rules: [
    { pattern: "^(-?[1-9][0-9]{0,18}|user:[1-9][0-9]{0,18})$", keep: "{1}" },
    {
      pattern: "max\\.ru/",
      ignoreCase: true,
      fault:
        "MAX shows bots no chat by its link: give the chat's number, which the bot learns when it is added to the chat, such as -70001234567890.",
    },
  ],
  otherwise: "Give the chat's number, such as -70001234567890; a person is user:42.",
};
