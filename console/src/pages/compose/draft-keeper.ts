/** Keeps a post on the server while it is written: one request at a time, always from the version that was read. */
import { ask, Refused } from "../../api/index.ts";
import { draftBody, isBlank, type Post } from "./post.ts";
import { type Draft, draft } from "./shapes.ts";

export interface Saved {
  readonly id: string;
  readonly version: number;
}

export type Keeping =
  /** Nothing to keep yet, or all of it is kept. */
  | { readonly step: "kept"; readonly saved: Saved | undefined }
  | { readonly step: "changed" | "saving"; readonly saved: Saved | undefined }
  | { readonly step: "failed"; readonly saved: Saved | undefined; readonly error: Error }
  /** Somebody else changed it, or it was deleted or sent. */
  | { readonly step: "conflict" | "gone"; readonly saved: Saved };

const restMs = 700;
const againMs = 5_000;

export interface DraftKeeper {
  readonly state: () => Keeping;
  readonly subscribe: (listener: () => void) => () => void;
  /** The person changed something; it is saved when they pause. */
  readonly change: (post: Post) => void;
  /** Saves what is not saved yet; undefined if that is impossible at the moment. */
  readonly flush: () => Promise<Saved | undefined>;
  /** Keeps the post under a new draft and leaves the other one as it is. */
  readonly keepApart: () => Promise<void>;
  /** The person leaves: what is not saved yet is saved now. */
  readonly end: () => void;
}

interface Given {
  readonly workspaceId: string;
  readonly post: Post;
  readonly saved: Saved | undefined;
  /** A draft was begun, and has an id now. */
  readonly onBegun: (id: string) => void;
  /** Something was saved after the person had left. */
  readonly onSavedLate: () => void;
}

export function keepDraft({
  workspaceId,
  post: first,
  saved: read,
  onBegun,
  onSavedLate,
}: Given): DraftKeeper {
  const listeners = new Set<() => void>();
  const query = new URLSearchParams({ workspace_id: workspaceId });
  let post = first;
  let kept = read ? textOf(first) : undefined;
  let state: Keeping = { step: "kept", saved: read };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let ended = false;

  const become = (next: Keeping) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const isKept = () => (kept === undefined ? isBlank(post) : kept === textOf(post));
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), ms);
  };

  async function store(apart: boolean): Promise<void> {
    const sent = post;
    const before = apart ? undefined : state.saved;
    become({ step: "saving", saved: state.saved });
    try {
      const { id, version } = await write(sent, before);
      kept = textOf(sent);
      become({ step: isKept() ? "kept" : "changed", saved: { id, version } });
      if (ended) onSavedLate();
      else if (!before) onBegun(id);
    } catch (error) {
      become(afterFailure(error, state.saved));
      if (state.step === "failed" && !(state.error instanceof Refused)) later(againMs);
    }
  }

  function write(given: Post, before: Saved | undefined): Promise<Draft> {
    const body = draftBody(given);
    if (!before) return ask(`/drafts?${query}`, draft, { method: "POST", body });
    const changes = { ...body, version: before.version };
    return ask(`/drafts/${before.id}?${query}`, draft, { method: "PATCH", body: changes });
  }

  function start(apart: boolean): Promise<void> {
    running = store(apart).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function save(): Promise<void> {
    clearTimeout(timer);
    while (running) await running;
    if (isKept() || state.step === "conflict" || state.step === "gone") return;
    await start(false);
    if (state.step === "changed") later(restMs);
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(next) {
      // In development React ends every effect once and begins it again.
      ended = false;
      post = next;
      if (state.step === "conflict" || state.step === "gone" || state.step === "saving") return;
      if (isKept()) {
        clearTimeout(timer);
        if (state.step !== "kept") become({ step: "kept", saved: state.saved });
        return;
      }
      if (state.step !== "changed") become({ step: "changed", saved: state.saved });
      later(restMs);
    },
    async flush() {
      for (let round = 0; round < 3 && (running || !isKept()); round += 1) await save();
      return state.step === "kept" ? state.saved : undefined;
    },
    async keepApart() {
      while (running) await running;
      await start(true);
    },
    end() {
      ended = true;
      void save();
    },
  };
}

function afterFailure(thrown: unknown, saved: Saved | undefined): Keeping {
  if (saved && thrown instanceof Refused && thrown.status === 409) return { step: "conflict", saved };
  if (saved && thrown instanceof Refused && thrown.status === 404) return { step: "gone", saved };
  return { step: "failed", saved, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
}

function textOf(post: Post): string {
  return JSON.stringify(draftBody(post));
}
