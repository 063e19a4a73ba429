/** Keeps the page's state in sync with the twins: reads, listens, and reads again after a gap. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import { readChats, readMessages, readPlaces } from "./api.ts";
import { type Action, initialState, keyOf, reduce, type State } from "./model/state.ts";
import type { Route } from "./route.ts";
import { listen } from "./stream.ts";

export interface Twins {
  readonly state: State;
  readonly loadOlder: () => void;
  readonly retry: () => void;
}

type Dispatch = (action: Action) => void;

/** Telegram shows an action for five seconds or until the message comes; MAX's lasts about as long. */
const typingMs = 5_000;
/** How long a messenger shows a bot's answer to a tap. */
const answerMs = 4_000;
/** As long as the messenger shows one. */
const draftMs = 30_000;
/** A burst of posts asks for the list once. */
const listDelayMs = 120;

export function useTwins(route: Route | undefined): Twins {
  const [state, dispatch] = useReducer(reduce, initialState);
  /** Grows whenever the page's data may be outdated; nothing is read before the stream is open. */
  const [epoch, renew] = useReducer((count: number) => count + 1, 0);
  useStream(dispatch, renew);
  useChatList(epoch, dispatch);
  const loadOlder = useRoom(state, route, epoch, dispatch);
  useSeen(state, route, dispatch);
  return { state, loadOlder, retry: renew };
}

function useStream(dispatch: Dispatch, renew: () => void): void {
  useEffect(() => {
    const timers = startTimers();
    const close = listen("/_control/stream", {
      opened() {
        dispatch({ type: "linked", link: "live" });
        renew();
      },
      lost() {
        dispatch({ type: "linked", link: "lost" });
      },
      told(event) {
        dispatch({ type: "told", event });
        if (event.type === "reset") renew();
        if (event.type === "message" || event.type === "removed") {
          timers.once("list", listDelayMs, () => loadChats(dispatch));
        }
        if (event.type === "typing") {
          const key = keyOf(event.provider, event.chatId);
          timers.restart(key, typingMs, () => dispatch({ type: "fell silent", key }));
        }
        if (event.type === "draft") {
          const key = keyOf(event.provider, event.chatId);
          timers.restart(`draft ${key}`, draftMs, () => dispatch({ type: "draft faded", key }));
        }
        if (event.type === "answered") {
          const key = keyOf(event.provider, event.chatId);
          timers.restart(`answer ${key}`, answerMs, () => dispatch({ type: "answer faded", key }));
        }
      },
    });
    return () => {
      close();
      timers.stop();
    };
  }, [dispatch, renew]);
}

function useChatList(epoch: number, dispatch: Dispatch): void {
  useEffect(() => {
    if (epoch === 0) return;
    void loadChats(dispatch);
    void loadPlaces(dispatch);
  }, [epoch, dispatch]);
}

/** Reads the newest messages of the open chat, and older ones when asked. */
function useRoom(state: State, route: Route | undefined, epoch: number, dispatch: Dispatch): () => void {
  const rooms = useRef(state.rooms);
  rooms.current = state.rooms;
  const readingOlder = useRef(false);
  const { provider, id } = route ?? {};

  useEffect(() => {
    if (epoch === 0 || provider === undefined || id === undefined) return;
    const key = keyOf(provider, id);
    const known = rooms.current.get(key)?.messages ?? [];
    dispatch({ type: "asked", key });
    readMessages({ provider, id })
      .then((page) => dispatch({ type: "newest", key, known, page }))
      .catch(() => dispatch({ type: "failed", key }));
  }, [epoch, provider, id, dispatch]);

  return useCallback(async () => {
    if (provider === undefined || id === undefined || readingOlder.current) return;
    const key = keyOf(provider, id);
    const room = rooms.current.get(key);
    const oldest = room?.messages[0];
    if (!room?.hasOlder || !oldest) return;
    readingOlder.current = true;
    await readMessages({ provider, id }, oldest.id)
      .then((page) => dispatch({ type: "older", key, page }))
      .catch(() => dispatch({ type: "failed", key }));
    readingOlder.current = false;
  }, [provider, id, dispatch]);
}

/** What is open in a visible window is read. */
function useSeen(state: State, route: Route | undefined, dispatch: Dispatch): void {
  const key = route?.key;
  const count = key && state.chats?.get(key)?.count;
  useEffect(() => {
    if (key === undefined || count === undefined) return;
    const look = () => {
      if (document.visibilityState === "visible") dispatch({ type: "seen", key });
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [key, count, dispatch]);
}

async function loadChats(dispatch: Dispatch): Promise<void> {
  await readChats()
    .then((chats) => dispatch({ type: "chats", chats }))
    .catch(() => dispatch({ type: "no chats" }));
}

/** If they cannot be read, the known ones stay: the failure of the chats is shown, and offers a retry. */
async function loadPlaces(dispatch: Dispatch): Promise<void> {
  await readPlaces()
    .then((places) => dispatch({ type: "places", places }))
    .catch(() => {});
}

/** Named timers that all end with the page. */
function startTimers() {
  const running = new Map<string, ReturnType<typeof setTimeout>>();
  const restart = (name: string, ms: number, act: () => void) => {
    clearTimeout(running.get(name));
    const timer = setTimeout(() => {
      running.delete(name);
      act();
    }, ms);
    running.set(name, timer);
  };
  return {
    restart,
    /** Leaves a timer that already runs alone. */
    once(name: string, ms: number, act: () => void) {
      if (!running.has(name)) restart(name, ms, act);
    },
    stop() {
      for (const timer of running.values()) clearTimeout(timer);
    },
  };
}
