/** Scrolling of a chat: sticks to the newest message, stays put while the person reads older ones. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { MessageView } from "../types.ts";

export interface Follow {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The person has scrolled up. */
  readonly away: boolean;
  /** How many messages came below what they see. */
  readonly fresh: number;
  readonly toNewest: () => void;
}

/** Closer to the end than this counts as reading the end. */
const nearEndPx = 60;
/** Older messages are asked for before the person reaches the top. */
const nearTopPx = 600;

export function useFollow(messages: readonly MessageView[], loadOlder: () => void): Follow {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  /** The newest message there was when the end was last in sight. */
  const [readTo, setReadTo] = useState(messages.at(-1)?.id);
  const newest = messages.at(-1);
  const scroll = useRef({ away: false, top: 0, fromEnd: 0, animateNext: false });

  const toEnd = useCallback((behavior: ScrollBehavior) => {
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior: calm() ? "instant" : behavior });
  }, []);
  const changeAway = useCallback((next: boolean) => {
    scroll.current.away = next;
    setAway(next);
  }, []);
  const toNewest = useCallback(() => {
    changeAway(false);
    toEnd("smooth");
  }, [changeAway, toEnd]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const last = scroll.current;
      const fromEnd = scrollHeight - scrollTop - clientHeight;
      // Only scrolling up leaves the end: content that grows below, or a smooth scroll in progress, does not.
      if (fromEnd < nearEndPx) changeAway(false);
      else if (scrollTop < last.top - 1) changeAway(true);
      last.top = scrollTop;
      last.fromEnd = fromEnd;
      if (scrollTop < nearTopPx) loadOlder();
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => element.removeEventListener("scroll", scrolled);
  }, [loadOlder, changeAway]);

  // Loading pictures, a growing composer and new messages are all handled here.
  useEffect(() => {
    if (!box.current || !content.current) return;
    const observer = new ResizeObserver(() => {
      const last = scroll.current;
      if (!last.away) toEnd(last.animateNext ? "smooth" : "instant");
      last.animateNext = false;
    });
    observer.observe(box.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [toEnd]);

  // Older messages added above must not move what is being read.
  const oldestId = messages[0]?.id;
  const previousOldest = useRef(oldestId);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || previousOldest.current === oldestId) return;
    previousOldest.current = oldestId;
    if (scroll.current.away) {
      element.scrollTop = element.scrollHeight - element.clientHeight - scroll.current.fromEnd;
    }
  }, [oldestId]);

  useLayoutEffect(() => {
    if (!newest || newest.id === readTo) return;
    if (newest.author.mine) changeAway(false);
    if (scroll.current.away) return;
    scroll.current.animateNext = readTo !== undefined;
    setReadTo(newest.id);
  }, [newest, readTo, changeAway]);
  useEffect(() => {
    if (!away) setReadTo(newest?.id);
  }, [away, newest]);

  const seenAt = messages.findIndex(({ id }) => id === readTo);
  return { box, content, away, toNewest, fresh: away && seenAt >= 0 ? messages.length - 1 - seenAt : 0 };
}

function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
