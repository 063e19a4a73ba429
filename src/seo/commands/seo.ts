import type { Command } from "commander";
import type { AddCommand, Terminal } from "../../terminal/index.ts";

/** A subcommand of `molva seo`. */
export type AddSeoCommand = (seo: Command, terminal: Terminal) => void;

const commands: readonly AddSeoCommand[] = [];

/** `molva seo …`: everything that SEO Master does, without its bot. */
export const addSeo: AddCommand = (program, terminal) => {
  const command = program
    .command("seo")
    .description("businesses, keywords, articles and posts of SEO Master");
  for (const add of commands) add(command, terminal);
};
