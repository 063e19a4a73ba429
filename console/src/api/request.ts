/** All requests to the server: JSON out, a parsed answer back, or an error that says which side failed. */
import type * as z from "zod/mini";
import { type Problem, problem } from "./shapes.ts";

/** The server refused, and said why. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.name = "Refused";
    this.status = status;
    this.problem = problem;
  }

  /** What is wrong with one field of the request, by its JSON pointer. */
  fault(pointer: string): string | undefined {
    return this.problem.errors?.find((error) => error.pointer === pointer)?.detail;
  }
}

/** There was no answer: the server is down, the network is gone, or it took too long. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The server does not answer", { cause });
    this.name = "Unreachable";
  }
}

const usualPatienceMs = 10_000;

interface Request {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** For what takes long by its nature. */
  readonly patienceMs?: number;
}

export async function ask<T>(path: string, shape: z.ZodMiniType<T>, request: Request = {}): Promise<T> {
  const response = await send(path, request);
  return shape.parse(await response.json());
}

/** The whole of a list, which the server gives page by page. */
export async function askForAll<T>(
  path: string,
  shape: z.ZodMiniType<{ items: T[]; next: string | null }>,
  request: Request = {},
): Promise<T[]> {
  const items: T[] = [];
  let query = new URLSearchParams({ limit: "200" });
  for (;;) {
    const page = await ask(`${path}?${query}`, shape, request);
    items.push(...page.items);
    if (page.next === null) return items;
    query = new URLSearchParams({ limit: "200", after: page.next });
  }
}

/** For requests that are answered with 204. */
export async function tell(path: string, request: Request): Promise<void> {
  await send(path, request);
}

async function send(
  path: string,
  { method = "GET", body, signal, patienceMs = usualPatienceMs }: Request,
): Promise<Response> {
  const patience = AbortSignal.timeout(patienceMs);
  const response = await fetch(`/api/v1${path}`, {
    method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  }).catch((cause: unknown) => {
    // A cancelled query is not a lost connection.
    if (signal?.aborted) throw cause;
    throw new Unreachable(cause);
  });
  if (response.ok) return response;
  throw new Refused(response.status, await problemOf(response));
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  return problem.safeParse(body).data ?? {};
}
