import { PassThrough } from "node:stream";
import {
  type App,
  callerOf,
  type ProblemTable,
  problemsOf,
  type RouteModule,
  stillHolds,
} from "../../http/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { createChangeFeed, type FeedDeps } from "./change-feed.ts";

const streamProblems = {
  too_many_streams: {
    status: 429,
    title: "Too many open streams",
    meaning: "One operator or token may have 20 streams open at once: close those that nobody reads.",
  },
} as const satisfies ProblemTable;
const streamProblem = problemsOf(streamProblems);

const mostStreams = 20;

export interface StreamDeps extends FeedDeps {
  /** How often a stream shows that it lives, and looks whether its caller may still listen. */
  readonly beatMs?: number;
}

const beat = 20_000;
/** How long the last event may take to be read. */
const lingerMs = 500;

type End = "access_ended" | "server_stopping";

/**
 * `GET /api/v1/stream`: server-sent events. `changed` names what there is news of, at most once a second; `end` says why the stream
 * ends.
 */
export function streamRoutes(deps: StreamDeps): RouteModule {
  return { name: "delivery.stream", problems: streamProblems, routes: (app) => streamRoute(app, deps) };
}

function streamRoute(app: App, deps: StreamDeps): void {
  const { sql, beatMs = beat } = deps;
  const feed = createChangeFeed(deps);
  const open = new Set<(why: End) => void>();
  const streams = new Map<string, number>();
  app.addHook("preClose", async () => {
    for (const end of open) end("server_stopping");
  });

  workspaceRoutes(app, sql, { under: "/api/v1/stream", tag: "events" }).get(
    "",
    {
      scope: "read",
      quiet: true,
      summary: "What changes in a workspace, as it happens: text/event-stream",
      description:
        'Events `changed` with `{"topics": ["deliveries", "channels", …]}`, at most one a second, say what to ask for again; whoever comes back after a break asks for everything. A comment comes every 20 seconds. `end` with `{"reason": "access_ended"}` or `"server_stopping"` is the last event.',
    },
    async ({ workspaceId, request, reply }) => {
      reply.headers({
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        // Otherwise the connection would stay open after the stream, and a server that stops would wait for it.
        connection: "close",
      });
      if (request.method === "HEAD") return reply.send();
      const caller = callerOf(request);
      const who = `${caller.kind} ${caller.id}`;
      const others = streams.get(who) ?? 0;
      if (others >= mostStreams) throw streamProblem("too_many_streams");
      streams.set(who, others + 1);

      const stream = new PassThrough();
      const say = (event: string, data: object) =>
        stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      const end = (why: End) => {
        if (!stream.writable) return;
        say("end", { reason: why });
        stream.end();
        // Whoever does not read must not keep a server from stopping.
        setTimeout(() => request.raw.socket.destroy(), lingerMs).unref();
      };
      const held = { scope: "read", workspaceId, address: request.ip } as const;
      const timer = setInterval(() => void pulse(), beatMs);
      open.add(end);
      let leave = () => {};
      let closed = false;
      const close = () => {
        if (closed) return;
        closed = true;
        clearInterval(timer);
        open.delete(end);
        leave();
        const left = (streams.get(who) ?? 1) - 1;
        if (left > 0) streams.set(who, left);
        else streams.delete(who);
      };
      reply.raw.once("close", () => {
        close();
        stream.destroy();
      });

      async function pulse(): Promise<void> {
        if (!stream.writable) return;
        // Whoever has read nothing since the last beat is not there any more.
        if (stream.writableNeedDrain) return void stream.destroy();
        stream.write(": beat\n\n");
        // When the database does not answer, nobody knows: the next beat asks again.
        const holds = await stillHolds(caller, held, deps).catch(() => true);
        if (!holds) end("access_ended");
      }

      try {
        leave = await feed.join(workspaceId, (changed) => {
          if (stream.writable && !stream.writableNeedDrain) say("changed", { topics: changed });
        });
      } catch (error) {
        close();
        throw error;
      }
      if (closed) leave();
      stream.write("retry: 3000\n\n");
      return reply.send(stream);
    },
  );
}
