import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, readInput } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { viewsOf } from "./wire.ts";

/** Reads and changes for tests. Tokens are not shown: a test without one creates an account. */
export async function controlRoutes(app: FastifyInstance, { store }: Deps): Promise<void> {
  const base = "/_control/telegraph";
  const options = () => ({ unknown_tags: store.world.options.unknownTags });

  app.get(`${base}/options`, async () => options());
  app.patch(`${base}/options`, async (request) => {
    const { unknown_tags: unknownTags } = readInput(optionsBody, request.body);
    Object.assign(store.world.options, definedOnly({ unknownTags }));
    store.changed();
    return options();
  });

  app.get(`${base}/accounts`, async () => ({
    accounts: store.world.accounts.map((account) => ({
      id: account.id,
      short_name: account.shortName,
      author_name: account.authorName,
      pages: store.pagesOf(account).map((page) => ({
        path: page.path,
        title: page.title,
        content: page.content,
        views: viewsOf(page),
      })),
    })),
  }));
}

const optionsBody = z.strictObject({ unknown_tags: z.enum(["refuse", "drop"]).optional() });
