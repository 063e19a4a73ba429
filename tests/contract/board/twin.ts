import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type Answer,
  answerCall,
  readImage,
  readInput,
  type Twin,
  type TwinContext,
} from "../../../twins/shared/index.ts";

const account = z.object({
  login: z.string(),
  key: z.string(),
  refresh_key: z.string(),
  expires_at: z.string(),
});
const board = z.object({ name: z.string(), writers: z.array(z.string()) });
const note = z.object({
  guid: z.string(),
  title: z.string().max(60).optional(),
  text: z.string().max(500),
  pictures: z.array(z.string()).max(4),
});

interface Note extends z.infer<typeof note> {
  readonly id: string;
  readonly board: string;
  readonly by: string;
  readonly at: number;
}

const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

/** A bulletin board: accounts with keys that expire, boards with writers, notes with a title, a text and pictures. */
export function createBoardTwin(context: TwinContext): Twin {
  let accounts: z.infer<typeof account>[] = [];
  let boards: z.infer<typeof board>[] = [];
  let notes: Note[] = [];
  const pictures = new Map<string, { width: number; height: number; size: number }>();
  let issued = 0;

  const caller = ({ headers }: FastifyRequest) =>
    accounts.find(
      ({ login, key, expires_at }) =>
        login === headers["x-login"] &&
        key === headers["x-key"] &&
        Date.parse(expires_at) > context.clock.now(),
    );

  /** Only the newest refresh key is valid, and only once. */
  function refresh(body: unknown): Answer {
    const given = z.object({ login: z.string(), refresh_key: z.string() }).safeParse(body).data;
    const known = accounts.find(
      ({ login, refresh_key }) => login === given?.login && refresh_key === given.refresh_key,
    );
    if (!known) return refuse(401, `the refresh key ${given?.refresh_key} is not known`);
    issued += 1;
    known.key = `board-key-${issued}`;
    known.refresh_key = `board-refresh-${issued}`;
    known.expires_at = new Date(context.clock.now() + 3_600_000).toISOString();
    return {
      status: 200,
      body: { key: known.key, refresh_key: known.refresh_key, expires_at: known.expires_at },
    };
  }

  function post(by: string, name: string, body: unknown): Answer {
    const place = boards.find((each) => each.name === name);
    if (!place) return refuse(404, "there is no such board");
    if (!place.writers.includes(by)) return refuse(403, "only its writers post on the board");
    const given = note.safeParse(body);
    if (!given.success) return refuse(400, given.error.issues[0]?.message ?? "not a note");
    if (given.data.pictures.some((id) => !pictures.has(id))) return refuse(400, "unknown picture");
    const made = { ...given.data, id: `note-${notes.length + 1}`, board: name, by, at: context.clock.now() };
    notes.push(made);
    return {
      status: 201,
      body: { id: made.id, url: `https://board.example/${made.id}` },
      created: [made.id],
    };
  }

  function upload(bytes: unknown): Answer {
    const seen = bytes instanceof Uint8Array ? readImage(bytes) : undefined;
    if (!(bytes instanceof Uint8Array) || !seen) return refuse(422, "not a picture");
    const id = `picture-${pictures.size + 1}`;
    pictures.set(id, { width: seen.width, height: seen.height, size: bytes.length });
    return { status: 201, body: { id } };
  }

  return {
    name: "board",
    async mount(app) {
      app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
      const serve = (
        method: "GET" | "POST",
        path: string,
        work: (request: FastifyRequest, by: string) => Answer,
      ) =>
        app.route({
          method,
          url: `/board${path}`,
          bodyLimit: 64 * 1024 * 1024,
          handler: (request, reply) =>
            answerCall(context, reply, {
              call: { provider: "board", method: `${method} ${path}` },
              request: request.body instanceof Uint8Array ? "attach://" : request.body,
              refusal: ({ status, description = "", retryAfter }) => ({
                ...refuse(status, description),
                headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
              }),
              async work() {
                if (path === "/refresh") return refresh(request.body);
                const by = caller(request);
                return by
                  ? work(request, by.login)
                  : refuse(401, `the key ${request.headers["x-key"]} is not good`);
              },
            }),
        });
      const nameIn = (request: FastifyRequest) =>
        readInput(z.object({ name: z.string() }), request.params).name;
      serve("POST", "/refresh", () => refuse(500, "never asked"));
      serve("GET", "/me", (_request, login) => ({ status: 200, body: { login } }));
      serve("POST", "/pictures", (request) => upload(request.body));
      serve("POST", "/boards/:name/notes", (request, by) => post(by, nameIn(request), request.body));
      serve("GET", "/boards/:name", (request, by) => {
        const found = boards.find(({ name }) => name === nameIn(request));
        return found
          ? { status: 200, body: { name: found.name, writable: found.writers.includes(by) } }
          : refuse(404, "there is no such board");
      });
      serve("GET", "/boards/:name/notes", (request) => ({
        status: 200,
        body: { notes: notes.filter((each) => each.board === nameIn(request)) },
      }));
      app.post("/_control/board/bots", async ({ body }) => accounts.push(readInput(account, body)));
      app.post("/_control/board/chats", async ({ body }) => {
        const made = readInput(board, body);
        boards = [...boards.filter(({ name }) => name !== made.name), made];
        return { ok: true };
      });
    },
    chats: () => [],
    messages: (name) =>
      notes
        .filter((each) => each.board === name)
        .map(({ id, at, by, title, text, pictures: shown }) => ({
          ...{ id, at, author: { name: by, bot: true, mine: false }, marks: [], buttons: [] },
          text: title === undefined ? text : `${title}\n\n${text}`,
          media: shown.map((picture) => ({ kind: "photo", url: picture, ...pictures.get(picture) })),
          ...{ edited: false, silent: false, protected: false },
        })),
    reset() {
      accounts = [];
      boards = [];
      notes = [];
      pictures.clear();
    },
  };
}
