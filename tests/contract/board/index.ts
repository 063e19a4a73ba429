import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { readSettings, root, type Setting } from "../../../src/kernel/config/index.ts";
import { refusedAs, walk } from "../../../src/platforms/check-walk.ts";
import { mediaPlaceholder } from "../../../src/platforms/compiled-media.ts";
import type {
  CompiledRequest,
  MediaOrder,
  Platform,
  PlatformDefinition,
  SendContext,
} from "../../../src/platforms/index.ts";
import { mediaError } from "../../../src/platforms/send-error.ts";
import { type RequestOutcome, sendSeries } from "../../../src/platforms/send-series.ts";
import { type BoardSettings, call } from "./client.ts";
import { compile } from "./compile.ts";
import { limits } from "./limits.ts";

const settings = {
  BOARD_API_ROOT: {
    group: "Providers",
    about: { en: "The bulletin board's server.", ru: "Сервер доски объявлений." },
    schema: root,
    fallback: "https://board.example",
  },
} as const satisfies Record<string, Setting>;

const secret = z.string().min(8, "is at least 8 characters long");

/** A sixth platform, which shows that a folder and a line are enough: a board with two keys, refreshed, and titles. */
export const board: PlatformDefinition = {
  name: "board",
  limits,
  settings,
  twin: { BOARD_API_ROOT: "/board" },
  credential: {
    fields: {
      login: { about: "Who writes", schema: z.string().min(1), open: true },
      key: { about: "The key of an hour", schema: secret },
      refresh_key: { about: "For the next key", schema: secret },
      expires_at: { about: "When the key ends", schema: z.iso.datetime(), open: true },
    },
    expiresAt: ({ expires_at }) => (expires_at === undefined ? undefined : new Date(expires_at)),
    refreshAheadMs: 600_000,
  },
  target: {
    about: "Board: its name or its address",
    rules: [
      {
        pattern: "^(?:https?://)?board\\.example/b/([a-z][a-z0-9-]{1,30})/?$",
        ignoreCase: true,
        keep: "{1:lower}",
      },
      { pattern: "^b/([a-z][a-z0-9-]{1,30})$", ignoreCase: true, keep: "{1:lower}" },
      { pattern: "^([a-z][a-z0-9-]{1,30})$", keep: "{1}" },
      { pattern: "^([0-9]+)$", fault: "A board has a name, and {1} is a number." },
    ],
    otherwise: "Give the board's name, or its address https://board.example/b/name.",
  },
  channelSettings: {
    pinned: { kinds: ["boolean"], about: "Whether notes stay on top" },
    paper: { kinds: ["string"], words: ["white", "yellow"], about: "The colour of notes" },
  },
  words: {
    en: {
      credentials: "the board's desk",
      wrong: { shut: { text: "The board is shut.", advice: "Ask its writers to open it." } },
    },
    ru: {
      credentials: "регистратуре доски",
      wrong: { shut: { text: "Доска закрыта.", advice: "Попросите её авторов открыть её." } },
    },
  },
  create(environment, { requestTimeoutMs = 10_000 }) {
    const { BOARD_API_ROOT: apiRoot } = readSettings(settings, environment);
    return createBoard({ apiRoot, timeoutMs: requestTimeoutMs });
  },
};

const noteShape = z.object({ id: z.string(), url: z.string() });
const notesShape = z.object({ notes: z.array(z.object({ id: z.string(), guid: z.string() })) });
const refreshedShape = z.object({ key: z.string(), refresh_key: z.string(), expires_at: z.string() });

function createBoard(at: BoardSettings): Platform {
  return {
    name: "board",
    limits,
    compile,
    preview: ({ body, text, media }, { targetId }) => ({
      http: {
        method: "POST",
        path: `/boards/${targetId}/notes`,
        query: {},
        body: { guid: "<delivery>", ...body, pictures: media.map(mediaPlaceholder) },
      },
      shown: { text, marks: [], media, buttons: [] },
    }),
    send: (compiled, context) => sendSeries(compiled, context, (request, paced) => post(request, paced, at)),
    async find(_compiled, context) {
      const path = `/boards/${context.channel.targetId}/notes`;
      const reply = await call({ method: "GET", path }, notesShape, at, context);
      if (reply.kind !== "ok") return { kind: "unavailable", error: reply.error };
      const own = reply.result.notes.find(({ guid }) => guid === context.idempotencyKey);
      return own ? { kind: "found", providerMessageId: own.id, raw: own } : { kind: "absent" };
    },
    check: (context) =>
      walk([
        async () => {
          const reply = await call(
            { method: "GET", path: "/me" },
            z.object({ login: z.string() }),
            at,
            context,
          );
          return reply.kind === "ok"
            ? { step: "token", finding: "ok", facts: { bot: reply.result.login } }
            : refusedAs("token", reply.error, () => "token_refused");
        },
        async () => {
          const path = `/boards/${context.channel.targetId}`;
          const reply = await call({ method: "GET", path }, z.object({ writable: z.boolean() }), at, context);
          if (reply.kind !== "ok") return refusedAs("chat", reply.error, () => "chat_not_found");
          return reply.result.writable
            ? { step: "rights", finding: "ok" }
            : { step: "rights", finding: "shut" };
        },
      ]),
    async refresh(credential, context) {
      const { login, refresh_key } = credential;
      const asked = { method: "POST", path: "/refresh", json: { login, refresh_key } } as const;
      const reply = await call(asked, refreshedShape, at, { ...context, credential });
      return reply.kind === "ok"
        ? { kind: "refreshed", credential: reply.result }
        : { kind: "failed", error: reply.error };
    },
  };
}

const orderOf = ({ credential }: SendContext, refused: readonly string[]): MediaOrder => ({
  account: `board:${credential.login}`,
  rulesFor: () => ({ as: "picture", maxBytes: 1_000_000 }),
  refused,
});

/** Uploads what the board does not have yet, then posts the note; a picture it lost is uploaded once more. */
async function post(
  request: CompiledRequest,
  context: SendContext,
  at: BoardSettings,
  refused: readonly string[] = [],
): Promise<RequestOutcome> {
  const lent = await context.media.lend(request.media, orderOf(context, refused), async (files) => {
    const pictures: string[] = [];
    for (const file of files) {
      if (file.kind === "reference") {
        if (file.waited) await context.turn?.();
        pictures.push(file.reference);
        continue;
      }
      await context.turn?.();
      const bytes = await buffer(await file.file.open());
      const asked = { method: "POST", path: "/pictures", bytes } as const;
      const uploaded = await call(asked, z.object({ id: z.string() }), at, context);
      if (uploaded.kind !== "ok") return { outcome: uploaded, pictures };
      await file.uploaded(uploaded.result.id);
      pictures.push(uploaded.result.id);
    }
    await context.turn?.();
    const json = { guid: context.idempotencyKey, ...request.body, pictures };
    const path = `/boards/${context.channel.targetId}/notes`;
    return { outcome: await call({ method: "POST", path, json }, noteShape, at, context), pictures };
  });
  if (!lent.ok) return { kind: "failed", error: mediaError(lent.fault) };
  const { outcome, pictures } = lent.value;
  if (outcome.kind === "ok") return { kind: "sent", message: { ...outcome.result, raw: outcome.result } };
  if (refused.length === 0 && /unknown picture/.test(outcome.error.message))
    return post(request, context, at, pictures);
  return outcome;
}
