/** Errors over HTTP: RFC 9457 with a stable code. */

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** For the reference page: when it happens and what to do. */
  readonly meaning: string;
}

export type ProblemTable = Readonly<Record<string, ProblemKind>>;

/** One error in a request. */
export interface ProblemError {
  /** JSON pointer (RFC 6901) into the body, the query or the path parameters. */
  readonly pointer: string;
  readonly detail: string;
}

export interface ProblemDetails {
  readonly detail?: string;
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes over the wire. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors: readonly ProblemError[];
}

export const problemMediaType = "application/problem+json";

/** Thrown by handlers and hooks; the server's error handler turns it into the answer. */
export class Problem extends Error {
  readonly code: string;
  readonly kind: ProblemKind;
  readonly statusCode: number;
  readonly errors: readonly ProblemError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, kind: ProblemKind, details: ProblemDetails = {}) {
    super(details.detail ?? kind.meaning);
    this.name = "Problem";
    this.code = code;
    this.kind = kind;
    this.statusCode = kind.status;
    this.errors = details.errors ?? [];
    this.headers = details.headers ?? {};
  }

  body(): ProblemBody {
    return {
      type: `/docs/errors#${this.code}`,
      title: this.kind.title,
      status: this.kind.status,
      detail: this.message,
      code: this.code,
      errors: this.errors,
    };
  }
}

/**
 * A maker of problems from a table of codes.
 *
 * @example
 * const problem = problemsOf(ingestProblems);
 * throw problem("ingress_rate_limited", { headers: { "retry-after": "3" } });
 */
export function problemsOf<Table extends ProblemTable>(table: Table) {
  return (code: keyof Table & string, details?: ProblemDetails): Problem => {
    const kind: ProblemKind | undefined = table[code];
    if (!kind) throw new Error(`no problem is called ${code}`);
    return new Problem(code, kind, details);
  };
}
