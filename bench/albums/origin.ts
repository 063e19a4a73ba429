/** A site with pictures: every number is a different one, and its requests are counted. */
import { once } from "node:events";
import { createServer } from "node:http";
import sharp from "sharp";

export interface Origin {
  readonly url: string;
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startOrigin(side: number): Promise<Origin> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const picture = await sharp({
    create: { width: side, height: side, channels: 3, background: "#888", noise },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.set(path, (asked.get(path) ?? 0) + 1);
    // Bytes after the end of a picture make it a different file with the same look.
    const bytes = Buffer.concat([picture, Buffer.from(path)]);
    response.writeHead(200, { "content-type": "image/jpeg", "content-length": bytes.length }).end(bytes);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
