/** The control: an HTTP server that reads a body and answers, and does nothing else. */
import { once } from "node:events";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().once("end", () => response.end("{}"));
});
await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("no port was given");
process.send?.(`http://127.0.0.1:${address.port}`);
process.once("disconnect", () => process.exit());
