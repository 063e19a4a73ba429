/** A server before a site, which passes everything on, notes it, and fails when it is told to. */
import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { FaultKind, JournalEntry } from "../../twins/index.ts";

export interface Front {
  readonly url: string;
  /** What it stands before; until then nobody is there. */
  passTo(server: string): void;
  fault(method: string, fault: FaultKind, times: number): void;
  journal(): Pick<JournalEntry, "method" | "status">[];
  clear(): void;
  close(): Promise<void>;
}

export async function startFront(): Promise<Front> {
  let site: string | undefined;
  let scripts: { method: string; fault: FaultKind; times: number }[] = [];
  let entries: Pick<JournalEntry, "method" | "status">[] = [];

  const server = createServer(async (request, response) => {
    const method = nameOf(request);
    const script = scripts.find((each) => each.method === method && each.times > 0);
    if (script) script.times -= 1;
    const status = await serve(request, response, script?.fault, site).catch(() => "dropped" as const);
    entries.push({ method, status });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    url: `http://127.0.0.1:${address.port}`,
    passTo: (given) => {
      site = given;
    },
    fault: (method, fault, times) => void scripts.push({ method, fault, times }),
    journal: () => entries,
    clear() {
      scripts = [];
      entries = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As the twin's journal calls it: `POST /wp/v2/posts/:id`. */
function nameOf({ method, url = "/" }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, "http://front");
  const route = searchParams.get("rest_route") ?? /\/wp-json(\/.*)?$/.exec(pathname)?.[1];
  return `${method} ${route?.replace(/\/\d+$/, "/:id") ?? "home"}`;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  fault: FaultKind | undefined,
  site: string | undefined,
): Promise<number | "dropped" | "hung"> {
  const body = await buffer(request);
  if (fault?.kind === "drop_before" || !site) return drop(response);
  if (fault?.kind === "hang") {
    await once(response, "close");
    return "hung";
  }
  if (fault?.kind === "status") return refuse(response, fault);
  const answer = await passed(request, body, site);
  if (fault?.kind === "drop_after") return drop(response);
  if (fault?.kind === "malformed") {
    response.writeHead(200, { "content-type": "text/html" }).end("<html>not what was asked for");
    return 200;
  }
  response.writeHead(answer.status, answer.headers).end(answer.body);
  return answer.status;
}

function drop(response: ServerResponse): "dropped" {
  response.socket?.destroy();
  return "dropped";
}

/** Broken PHP and proxies answer with pages, WordPress itself with JSON. */
function refuse(
  response: ServerResponse,
  { status, retryAfter }: Extract<FaultKind, { kind: "status" }>,
): number {
  const retry = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  if (status === 500)
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ code: "internal_server_error", message: "critical error", data: { status } }));
  else response.writeHead(status, { "content-type": "text/html", ...retry }).end(`<h1>${status}</h1>`);
  return status;
}

async function passed(request: IncomingMessage, body: Buffer, site: string) {
  const { hostname, port } = new URL(site);
  const onward = forward({
    hostname,
    port,
    path: request.url,
    method: request.method,
    // PHP's own server closes connections as it likes.
    agent: false,
    headers: { ...request.headers, "content-length": body.length },
  });
  onward.end(body);
  const [answer]: IncomingMessage[] = await once(onward, "response");
  if (!answer) throw new Error("PHP gave no answer");
  const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
  return { status: answer.statusCode ?? 502, headers, body: await buffer(answer) };
}
