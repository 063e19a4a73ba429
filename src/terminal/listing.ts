/** Shared by every `list`: the options, a table, and how to get the next page. */
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { type AdminDeps, type Page, pageLimit, placeAfter } from "../workspaces/index.ts";
import { administer, type Common, viewing } from "./administer.ts";
import { print } from "./command.ts";
import { countOf } from "./lookup.ts";
import type { Terminal } from "./terminal.ts";

export interface Paged extends Common {
  readonly limit: number;
  readonly after?: string;
}

export interface Listing<Item, Options extends Paged> {
  readonly about: string;
  /** The default of `--limit`. */
  readonly usual?: number;
  /** Adds filter options. */
  choosing?(command: Command): Command;
  page(deps: AdminDeps, workspaceId: string, options: Options): Promise<Page<Item>>;
  shown(items: readonly Item[]): string;
}

/**
 * Adds a `list` of things of one workspace.
 *
 * @example
 * addList<Template>(command, terminal, {
 *   about: "templates by name",
 *   page: ({ sql }, workspaceId, options) => templatePage(sql, workspaceId, options),
 *   shown: table("No templates.", { name: ({ template_id }) => template_id }),
 * });
 */
export function addList<Item, Options extends Paged = Paged>(
  parent: Command,
  terminal: Terminal,
  { about, usual, choosing = (command) => command, page, shown }: Listing<Item, Options>,
): void {
  paging(choosing(viewing(parent.command("list").description(about))), usual).action(
    async (options: Options) => {
      const found = await administer(terminal, options, (deps, workspaceId) =>
        page(deps, workspaceId, options),
      );
      printPage(terminal, options, found, shown);
    },
  );
}

export const paging = (command: Command, usual: number = pageLimit.most) =>
  command
    .option("--limit <count>", "how many at most", countOf, usual)
    .option("--after <next>", "continue after a page: its `next`", cursorIn);

function cursorIn(typed: string): string {
  try {
    placeAfter(typed, z.array(z.unknown()));
    return typed;
  } catch {
    throw new InvalidArgumentError("Give the `next` of the page before.");
  }
}

export function printPage<Item>(
  terminal: Terminal,
  options: Common,
  page: Page<Item>,
  shown: (items: readonly Item[]) => string,
): void {
  print(terminal, options, page, () =>
    [shown(page.items), ...(page.next ? [`More: --after ${page.next}`] : [])].join("\n"),
  );
}
