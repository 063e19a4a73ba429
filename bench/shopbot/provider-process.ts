/**
 * A messenger that accepts every message after a set time and records the order; it has no limits, which are not
 * measured.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const { delayMs }: { delayMs: number } = JSON.parse(process.argv[2] ?? "{}");
const seen: { chat: string; text: string; at: number }[] = [];
let id = 0;

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://provider");
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  if (url.pathname === "/seen") {
    response.end(JSON.stringify(seen));
    return;
  }
  if (url.pathname !== "/messages") {
    response.end('{"success":true}');
    return;
  }
  if (delayMs > 0) await delay(delayMs);
  const { text = "" }: { text?: string } = JSON.parse(Buffer.concat(parts).toString("utf8"));
  seen.push({ chat: url.searchParams.get("chat_id") ?? "", text, at: Date.now() });
  const message = { timestamp: Date.now(), body: { mid: `mid.${++id}`, text } };
  response.end(JSON.stringify({ message }));
});
server.keepAliveTimeout = 60_000;
await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("no port was given");
process.send?.(`http://127.0.0.1:${address.port}`);
process.once("disconnect", () => process.exit());
