/** The service as the bot sees it: HTTP at one address with one token, and nothing else. */
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { type Answered, failed, faultOf } from "./fault.ts";
import {
  type Advice,
  activeShape,
  adviceShape,
  anything,
  type History,
  historyShape,
  type Me,
  mediaShape,
  meShape,
  type Profile,
} from "./shapes.ts";

export interface BackendSettings {
  readonly http: HttpClient;
  /** Without a trailing slash; asked anew each time, for it may be known only once the server listens. */
  readonly url: () => string;
  readonly token: string;
  /** How long to wait before each further try when nobody answers. */
  readonly pausesMs?: readonly number[];
  /** How long an answer that is being made is waited for, from the first question. */
  readonly patienceMs?: number;
}

/** Who asks. */
export interface Asker {
  readonly telegramUserId: number;
  readonly telegramChatId: number;
  readonly locale: string;
}

export interface Question {
  readonly requestId: string;
  readonly text: string;
  readonly scenario: string | null;
  readonly research: boolean;
  readonly profile: Profile | null;
  readonly media: { readonly type: MediaType; readonly id: string; readonly mime: string } | null;
  /** Empty when unknown. */
  readonly messageId: string;
  readonly replyTo: string;
}

export type MediaType = "photo" | "audio";

export interface File {
  readonly type: MediaType;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Nothing here throws for what a service or a network may do. Giving up by `signal` throws. */
export interface Backend {
  ask(asker: Asker, question: Question, signal?: AbortSignal): Promise<Answered<Advice>>;
  me(asker: Asker, signal?: AbortSignal): Promise<Answered<Me>>;
  accept(asker: Asker, signal?: AbortSignal): Promise<Answered<unknown>>;
  history(asker: Asker, limit: number, signal?: AbortSignal): Promise<Answered<History>>;
  kept(asker: Asker, signal?: AbortSignal): Promise<Answered<{ id: string; profile: Profile } | null>>;
  keep(asker: Asker, requestId: string, changes: Profile, signal?: AbortSignal): Promise<Answered<unknown>>;
  /** Gives the id to name with the question. */
  upload(asker: Asker, file: File, signal?: AbortSignal): Promise<Answered<string>>;
  forget(asker: Asker, petId: string | null, signal?: AbortSignal): Promise<Answered<unknown>>;
}

interface Call<Shape extends z.ZodType> {
  readonly method?: "GET" | "POST" | "PUT";
  /** A path at the service, or the whole address it gave us. */
  readonly to: string;
  readonly body?: unknown;
  readonly file?: File;
  readonly answer: Shape;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The service itself gives a question up after 105 s. */
const usual = { patienceMs: 150_000, pausesMs: [1_000, 3_000], askMs: 120_000, otherMs: 20_000 } as const;
const longestPauseMs = 5_000;

export function createBackend(settings: BackendSettings): Backend {
  const { http, url, token, pausesMs = usual.pausesMs, patienceMs = usual.patienceMs } = settings;

  async function once<Shape extends z.ZodType>(call: Call<Shape>): Promise<Answered<z.output<Shape>>> {
    const { to, method = "POST", body, file, answer, timeoutMs = usual.otherMs, signal } = call;
    const isOurs = to.startsWith("/");
    const result = await http.request({
      method,
      url: isOurs ? `${url()}${to}` : to,
      timeoutMs,
      headers: {
        // An address to upload to is a permission by itself, and may be another server's.
        ...(isOurs && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(file && { "content-type": file.mime }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file.bytes }),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    if (result.kind === "failure") return failed("unreachable");
    const said = jsonOf(result.body);
    if (result.status >= 400)
      return { ok: false, fault: faultOf(result.status, said, result.headers["retry-after"]) };
    const read = answer.safeParse(said);
    return read.success ? { ok: true, value: read.data } : failed("broken");
  }

  /** Every call may be made twice: asking is told by its id, the others change nothing the second time. */
  async function call<Shape extends z.ZodType>(given: Call<Shape>): Promise<Answered<z.output<Shape>>> {
    let answered = await once(given);
    for (const ms of pausesMs) {
      if (answered.ok || answered.fault.kind !== "unreachable") break;
      await pause(ms, undefined, { ...(given.signal && { signal: given.signal }) });
      answered = await once(given);
    }
    return answered;
  }

  return {
    async ask(asker, question, signal) {
      const until = performance.now() + patienceMs;
      for (;;) {
        const answered = await call({
          to: "/v1/chat/ask",
          body: bodyOf(asker, question),
          answer: adviceShape,
          timeoutMs: usual.askMs,
          signal,
        });
        // We died over this question and were started again: the answer to it is on its way.
        if (answered.ok || answered.fault.kind !== "busy" || performance.now() > until) return answered;
        const ms = Math.min((answered.fault.waitSeconds ?? 1) * 1_000, longestPauseMs);
        await pause(ms, undefined, { ...(signal && { signal }) });
      }
    },
    me: ({ telegramUserId }, signal) =>
      call({ method: "GET", to: `/v1/me?telegram_user_id=${telegramUserId}`, answer: meShape, signal }),
    accept: (asker, signal) =>
      call({
        to: "/v1/consents",
        body: { user: userOf(asker), terms_accepted: true, data_policy_accepted: true },
        answer: anything,
        signal,
      }),
    async history({ telegramUserId }, limit, signal) {
      const to = `/v1/history?telegram_user_id=${telegramUserId}&limit=${limit}`;
      const answered = await call({ method: "GET", to, answer: historyShape, signal });
      return answered.ok ? { ok: true, value: answered.value.items } : answered;
    },
    async kept({ telegramUserId }, signal) {
      const to = `/v1/pets/active?telegram_user_id=${telegramUserId}`;
      const answered = await call({ method: "GET", to, answer: activeShape, signal });
      if (answered.ok) return { ok: true, value: answered.value.pet };
      return answered.fault.kind === "nothing_kept" ? { ok: true, value: null } : answered;
    },
    keep: (asker, requestId, changes, signal) =>
      call({
        to: "/v1/pets/active/save",
        body: { request_id: requestId, user: userOf(asker), pet_profile: changes },
        answer: anything,
        signal,
      }),
    async upload(asker, file, signal) {
      const announced = await call({
        to: "/v1/media/init",
        body: { user: userOf(asker), type: file.type, mime: file.mime, size_bytes: file.bytes.byteLength },
        answer: mediaShape,
        signal,
      });
      if (!announced.ok) return announced;
      const { upload_url: to, media_id: id } = announced.value;
      const sent = await call({ method: "PUT", to, file, answer: anything, signal });
      // A second PUT after a lost answer finds the file there.
      return sent.ok || sent.fault.kind === "stale" ? { ok: true, value: id } : sent;
    },
    forget: (asker, petId, signal) =>
      call({
        to: "/v1/data/delete",
        body: { user: userOf(asker), scope: petId === null ? "all" : "pet", pet_id: petId },
        answer: anything,
        signal,
      }),
  };
}

function bodyOf(asker: Asker, question: Question) {
  const { requestId, text, scenario, research, profile, media, messageId, replyTo } = question;
  return {
    request_id: requestId,
    user: userOf(asker),
    context: { ...(scenario !== null && { scenario }), mode: research ? "research" : "normal" },
    message: {
      text,
      ...(messageId !== "" && { client_message_id: `tg:${asker.telegramChatId}:${messageId}` }),
      ...(replyTo !== "" && { reply_to_message_id: Number(replyTo) }),
    },
    ...(profile && { pet_profile: profile }),
    ...(media && { attachments: [{ type: media.type, media_id: media.id, mime: media.mime }] }),
  };
}

function userOf({ telegramUserId, telegramChatId, locale }: Asker) {
  return { telegram_user_id: telegramUserId, telegram_chat_id: telegramChatId, locale };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
