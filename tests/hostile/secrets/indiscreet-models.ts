import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider of language models that quotes the key in everything it says, as careless proxies do. */
export interface IndiscreetModels {
  readonly url: string;
  close(): Promise<void>;
}

export async function startIndiscreetModels(): Promise<IndiscreetModels> {
  const server: Server = createServer((request, response) => {
    request.resume().on("end", () => {
      const key = request.headers.authorization;
      response.writeHead(400, { "content-type": "application/json", "x-key": String(key) });
      response.end(
        JSON.stringify({ error: { message: `The key ${key} may not do this`, type: key, code: key } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
