import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { App } from "../app.ts";
import { problem } from "../problems/index.ts";

type Signed = Readonly<Record<"expires" | "signature", unknown>>;

/**
 * `GET /media/…`: serves files of the local folder to whoever has a signed address, such as readers of a preview. Pages of other
 * sites show the pictures, so they may be embedded anywhere; opened by themselves, they can run nothing.
 */
export function mediaRoute(app: App, storage: Pick<ObjectStorage, "openSigned">): void {
  if (!storage.openSigned) return;
  app.get<{ Params: { "*": string }; Querystring: Signed }>(
    "/media/*",
    { config: { quiet: true }, schema: { hide: true } },
    async ({ params, query }, reply) => {
      const { expires, signature } = query;
      const file = await storage.openSigned?.({
        ...{ key: params["*"], expires: String(expires), signature: String(signature) },
      });
      if (!file) throw problem("not_found", { detail: "There is no such file, or its address has expired." });
      return reply
        .headers({
          "content-type": file.contentType,
          "content-length": file.size,
          "cache-control": "private, max-age=3600",
          "content-security-policy": "default-src 'none'; sandbox",
          "cross-origin-resource-policy": "cross-origin",
        })
        .send(file.body);
    },
  );
}
