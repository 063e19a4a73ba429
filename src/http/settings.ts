import { type PasswordWorkLimits, passwordWorkLimits } from "./operators/password-work.ts";

/** Settings of the server. */
export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** The address that browsers use; it decides whether cookies are Secure and what counts as the same origin. */
  readonly publicUrl: string;
  /** Whose `X-Forwarded-*` headers are trusted: a number of proxies in a row, or proxies in these networks. */
  readonly trustProxy: number | readonly string[];
  /** The built console; may be missing, then a page says how to build it. */
  readonly webFolder: string;
  /** The address of the twins' page; `/playground` redirects there. */
  readonly twinsUrl?: string;
  readonly version: string;
  /** Operators without a second factor may do nothing but set one up. */
  readonly requireSecondFactor?: boolean;
  /** Serve only health and metrics: for a process without the `api` role. */
  readonly operationsOnly?: boolean;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  readonly bodyBytes: number;
  /** From the headers of a request to its last byte. */
  readonly requestTimeoutMs: number;
  /** The same for routes that take files. */
  readonly uploadTimeoutMs: number;
  readonly keepAliveMs: number;
  /** How long running requests may take to finish when the server stops; open streams are closed then. */
  readonly stopWithinMs: number;
  /** How long a readiness check may take, and for how long its result is reused. */
  readonly readinessMs: number;
  readonly readinessKeptMs: number;
  readonly passwordWork: PasswordWorkLimits;
}

export const httpLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  requestTimeoutMs: 30_000,
  uploadTimeoutMs: 30 * 60_000,
  keepAliveMs: 10_000,
  stopWithinMs: 5_000,
  readinessMs: 3_000,
  readinessKeptMs: 1_000,
  passwordWork: passwordWorkLimits,
};
