import type { FastifyInstance, FastifyReply } from "fastify";
import { type Answer, answerCall, type StatusFault, type Twin, type TwinContext } from "../shared/index.ts";
import { checkKey } from "./keys.ts";
import type { KnownKey, World } from "./model.ts";
import { type Read, readList, readOne, type Submission } from "./submission.ts";

/**
 * IndexNow, emulated: accepts pages for search engines. A key that is new is accepted without a check (202) and its
 * file is fetched afterwards; from then on its pages are accepted (200), or refused (403) until the file is correct.
 */
export function createIndexNowTwin(context: TwinContext): Twin {
  const world = context.state.load<World>("indexnow") ?? emptyWorld();
  const changed = () => context.state.changed("indexnow", () => world);
  const checks = new Set<Promise<void>>();

  function check(known: KnownKey): Promise<void> {
    const checking = checkKey(known).finally(() => {
      checks.delete(checking);
      changed();
    });
    checks.add(checking);
    return checking;
  }

  async function take({ host, key, location, urls }: Submission): Promise<Answer> {
    let known = world.keys.find((each) => each.location === location && each.key === key);
    if (!known) {
      known = { host, key, location, state: "pending" };
      world.keys.push(known);
      void check(known);
      return taken(202);
    }
    if (known.state === "pending") return taken(202);
    // The file may have been fixed or removed since the last check.
    if (known.state === "refused") await check(known);
    return known.state === "good" ? taken(200) : error(403, "UserForbiddedToAccessSite", known.because ?? "");

    function taken(status: 200 | 202): Answer {
      world.pages.push(...urls.map((url) => ({ url, key, at: context.clock.now() })));
      changed();
      return { status, body: "" };
    }
  }

  const serve = (reply: FastifyReply, method: string, request: unknown, read: Read) =>
    answerCall(context, reply, {
      call: { provider: "indexnow", method, ...("host" in read && { chat: read.host }) },
      request,
      work: async () =>
        "status" in read ? error(read.status, "InvalidRequestParameters", read.message) : take(read),
      refusal: scripted,
    });

  return {
    name: "indexnow",
    async mount(app) {
      app.post("/indexnow/indexnow", (request, reply) =>
        serve(reply, "POST /indexnow", request.body, readList(request.body)),
      );
      app.get("/indexnow/indexnow", (request, reply) =>
        serve(reply, "GET /indexnow", request.query, readOne(request.query)),
      );
      controlRoutes(app, world, changed);
    },
    chats: () => [],
    messages: () => [],
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
    async stop() {
      await Promise.allSettled(checks);
    },
  };
}

/** For tests: which pages search engines know, and the state of each key. */
function controlRoutes(app: FastifyInstance, world: World, changed: () => void): void {
  app.get("/_control/indexnow/pages", async () => ({ pages: world.pages }));
  app.get("/_control/indexnow/keys", async () => ({ keys: world.keys }));
  /** Search engines check every key again from time to time. */
  app.post("/_control/indexnow/recheck", async () => {
    await Promise.all(world.keys.map(checkKey));
    changed();
    return { keys: world.keys };
  });
}

function scripted({ status, description, retryAfter }: StatusFault): Answer {
  const answer = error(status, "Scripted", description ?? "");
  return retryAfter === undefined ? answer : { ...answer, headers: { "retry-after": String(retryAfter) } };
}

function error(status: number, code: string, message: string): Answer {
  return { status, body: { code, message, details: [] } };
}

function emptyWorld(): World {
  return { keys: [], pages: [] };
}
