/** What is sent to an address, when, and how often it is tried. Times are milliseconds since the epoch. */
export interface Order {
  destination: string;
  method: string;
  /** Base64. */
  body: string;
  /** Headers that the receiver gets: the content type and what was given as `Upstash-Forward-…`. */
  headers: Record<string, string>;
  retries: number;
  /** An expression for the pause before a retry. */
  retryDelay: string | null;
  timeoutMs: number;
  delayMs: number;
  callback: string | null;
  failureCallback: string | null;
  label: string | null;
  callerIp: string;
}

export interface Message extends Order {
  id: string;
  createdAt: number;
  /** Of its next attempt. */
  dueAt: number;
  retried: number;
  scheduleId: string | null;
  /** The message whose end this one tells. */
  sourceId: string | null;
}

export interface Schedule extends Order {
  id: string;
  cron: string;
  createdAt: number;
  isPaused: boolean;
  /** Minutes up to here have been looked at. */
  lookedUntil: number;
  lastFiredAt: number | null;
}

/** A message that was given up, with the last answer. */
export interface DeadLetter {
  dlqId: string;
  message: Message;
  at: number;
  status: number | null;
}

export interface Remembered {
  id: string;
  messageId: string;
  at: number;
}

/** What is wrong with the signature of the next deliveries, for receivers that must notice it. */
export const signatureFlaws = [
  "body",
  "subject",
  "expired",
  "forged",
  "next_key",
  "replayed",
  "missing",
] as const;
export type SignatureFlaw = (typeof signatureFlaws)[number];

export interface World {
  token: string;
  keys: { current: string; next: string };
  messages: Message[];
  schedules: Schedule[];
  dlq: DeadLetter[];
  remembered: Remembered[];
  /** How many schedules the plan has. */
  scheduleQuota: number;
  /** Copies of every delivery beyond the first, even after a success. */
  duplicates: number;
  /** Nothing is sent until `POST …/run`. */
  held: boolean;
  flaw: SignatureFlaw | null;
  /** The last signature that was sent, for replays. */
  lastSignature: string | null;
}
