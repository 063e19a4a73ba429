/**
 * The control: an HTTP server with the minimum that any service must do for a request: three durable rows, and a call
 * of the model between them.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Agent, request as ask } from "undici";
import { connect } from "../../src/kernel/db/index.ts";

const { databaseUrl, modelUrl }: { databaseUrl: string; modelUrl: string } = JSON.parse(
  process.argv[2] ?? "{}",
);
const sql = connect({ url: databaseUrl, max: 10 });
await sql`create table bare (id bigint generated always as identity primary key, body text not null)`;
const dispatcher = new Agent({ connections: 50, keepAliveTimeout: 60_000 });

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString("utf8");
  await sql`insert into bare (body) values (${body})`;
  await sql`insert into bare (body) values (${body})`;
  const answer = await ask(modelUrl, { method: "POST", dispatcher, body });
  const said = await answer.body.text();
  await sql`insert into bare (body) values (${said})`;
  response.setHeader("content-type", "application/json");
  response.end(said);
});
await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("no port was given");
process.send?.(`http://127.0.0.1:${address.port}`);
process.once("disconnect", () => process.exit());
