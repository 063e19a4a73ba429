/** The sites and the chats, newest first, with a search and a choice of provider. */
import { Search, X } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { type ChatKey, keyOf } from "../model/state.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView, PlaceView } from "../types.ts";
import { ChatRow } from "./ChatRow.tsx";
import { NewDialogue } from "./NewDialogue.tsx";
import { Notice } from "./Notice.tsx";
import { PlaceRow } from "./PlaceRow.tsx";
import { providerName } from "./ProviderBadge.tsx";

interface Props {
  readonly chats: ReadonlyMap<ChatKey, ChatView> | undefined;
  readonly places: ReadonlyMap<ChatKey, PlaceView>;
  readonly failed: boolean;
  readonly unread: ReadonlyMap<ChatKey, number>;
  readonly typing: ReadonlySet<ChatKey>;
  readonly open: ChatKey | undefined;
  readonly openPlace: ChatKey | undefined;
  readonly now: number;
  readonly retry: () => void;
}

export function ChatList(props: Props) {
  const { chats, places, failed, unread, typing, open, openPlace, now, retry } = props;
  const { texts } = useSettings();
  const [query, setQuery] = useState("");
  const [provider, setProvider] = useState<string>();
  const providers = useMemo(() => providersOf(chats, places), [chats, places]);
  const shown = useMemo(() => found(chats, query, provider), [chats, query, provider]);
  const shownPlaces = useMemo(() => foundPlaces(places, query, provider), [places, query, provider]);

  return (
    <nav className="sidebar" aria-label={texts.chats}>
      <div className="sidebar-top">
        <div className="search">
          <Search size={17} aria-hidden />
          <input
            type="search"
            value={query}
            placeholder={texts.search}
            aria-label={texts.search}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setQuery("")}
          />
          {query !== "" && (
            <button type="button" onClick={() => setQuery("")} aria-label={texts.clearSearch}>
              <X size={16} />
            </button>
          )}
        </div>
        {providers.length > 1 && (
          <fieldset className="chips" aria-label={texts.filter}>
            {[undefined, ...providers].map((one) => (
              <button
                key={one ?? ""}
                type="button"
                aria-pressed={one === provider}
                onClick={() => setProvider(one)}
              >
                {one === undefined ? texts.everywhere : providerName(one, texts)}
              </button>
            ))}
          </fieldset>
        )}
        <NewDialogue />
      </div>
      {shown && shown.length + shownPlaces.length > 0 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the links in it take the focus; the arrows only move it.
        <div className="chats" onKeyDown={moveFocus}>
          {shownPlaces.length > 0 && (
            <>
              <h2 className="list-heading">{texts.places}</h2>
              <ul aria-label={texts.places}>
                {shownPlaces.map((place) => {
                  const key = keyOf(place.provider, place.id);
                  return (
                    <li key={key}>
                      <PlaceRow place={place} open={key === openPlace} now={now} />
                    </li>
                  );
                })}
              </ul>
              {shown.length > 0 && <h2 className="list-heading">{texts.chats}</h2>}
            </>
          )}
          <ul aria-label={texts.chats}>
            {shown.map((chat) => {
              const key = keyOf(chat.provider, chat.id);
              return (
                <li key={key}>
                  <ChatRow
                    chat={chat}
                    unread={unread.get(key) ?? 0}
                    typing={typing.has(key)}
                    open={key === open}
                    now={now}
                  />
                </li>
              );
            })}
          </ul>
        </div>
      ) : !shown && failed ? (
        <Notice title={texts.chatsFailed} retry={retry} />
      ) : !shown ? (
        <Notice title={texts.loadingChats} busy />
      ) : query !== "" ? (
        <Notice title={texts.nothingFound(query)} />
      ) : (
        <Notice title={texts.noChats} hint={texts.noChatsHint} />
      )}
    </nav>
  );
}

function providersOf(chats: Props["chats"], places: Props["places"]): string[] {
  const namesOf = (views: Iterable<{ readonly provider: string }>) =>
    [...new Set([...views].map(({ provider }) => provider))].sort();
  return [...namesOf(chats?.values() ?? []).reverse(), ...namesOf(places.values())];
}

function foundPlaces(places: Props["places"], query: string, provider: string | undefined): PlaceView[] {
  return [...places.values()]
    .filter((place) => provider === undefined || place.provider === provider)
    .filter((place) => fits(query, [place.title, place.provider, place.url]))
    .sort((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0) || a.title.localeCompare(b.title));
}

/** Whether every word of the query is in one of the texts. */
function fits(query: string, texts: readonly (string | undefined)[]): boolean {
  const haystack = texts.join(" ").toLocaleLowerCase();
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => haystack.includes(word));
}

function found(chats: Props["chats"], query: string, provider: string | undefined): ChatView[] | undefined {
  if (!chats) return undefined;
  return [...chats.values()]
    .filter((chat) => provider === undefined || chat.provider === provider)
    .filter((chat) => fits(query, [chat.title, chat.username, chat.id, chat.last?.text]))
    .sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0) || a.title.localeCompare(b.title));
}

/** Up and down move through the list, as in any messenger; Tab still leaves it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const next = links[links.findIndex((link) => link.matches(":focus")) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
