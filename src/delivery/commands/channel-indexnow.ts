import type { Command } from "commander";
import {
  byOf,
  type Common,
  changing,
  facts,
  moment,
  print,
  type Terminal,
  withCore,
} from "../../terminal/index.ts";
import { deliveryParts } from "../parts.ts";
import { dropIndexNow, type IndexNowKey, setUpIndexNow } from "../readback/index.ts";
import { channelCalled, channelNaming } from "./called.ts";

interface IndexNowOptions extends Common {
  readonly folder?: string;
  readonly off?: boolean;
}

/** `molva channel indexnow`: the key with which search engines are told of a site's new pages. */
export function addChannelIndexNow(parent: Command, terminal: Terminal): void {
  changing(parent, "indexnow", "tell search engines of the site's new pages: make the key, look for its file")
    .argument("<channel>", channelNaming)
    .option("--folder <address>", "where the file lies, if not in the root of the site's host")
    .option("--off", "tell search engines nothing any more")
    .action(async (typed: string, options: IndexNowOptions) => {
      const { folder, off = false } = options;
      const key = await withCore(terminal, options, async (core, workspaceId) => {
        const deps = deliveryParts(core).readingBack;
        const { channel_id } = await channelCalled(core, workspaceId, typed);
        if (off) return dropIndexNow(deps, workspaceId, channel_id, byOf(options));
        return setUpIndexNow(deps, workspaceId, channel_id, { folder }, byOf(options));
      });
      if (key) print(terminal, options, key, () => told(key));
      else print(terminal, options, { off: true }, () => "Search engines are told nothing any more.");
    });
}

function told({ file, covers, verified_at, fault }: IndexNowKey): string {
  const lines = facts([
    ["file", file.name],
    ["content", file.content],
    ["address", file.address],
    ["covers", covers],
    ["found", verified_at ? moment(verified_at) : `no: ${fault?.message ?? "not looked for yet"}`],
  ]);
  const next = verified_at
    ? "The file is there: search engines are told of every new page once it was read back in order."
    : "Place the file at its address, then run this command again. If you cannot write there, name a folder above the site's pages: --folder <address>";
  return `${lines}\n${next}`;
}
