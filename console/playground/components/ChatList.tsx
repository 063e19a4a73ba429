/** The chats, newest first, with a search and a choice of messenger. */
import { Search, X } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { type ChatKey, keyOf } from "../model/state.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView } from "../types.ts";
import { ChatRow } from "./ChatRow.tsx";
import { NewDialogue } from "./NewDialogue.tsx";
import { Notice } from "./Notice.tsx";
import { providerName } from "./ProviderBadge.tsx";

interface Props {
  readonly chats: ReadonlyMap<ChatKey, ChatView> | undefined;
  readonly failed: boolean;
  readonly unread: ReadonlyMap<ChatKey, number>;
  readonly typing: ReadonlySet<ChatKey>;
  readonly open: ChatKey | undefined;
  readonly now: number;
  readonly retry: () => void;
}

export function ChatList({ chats, failed, unread, typing, open, now, retry }: Props) {
  const { texts } = useSettings();
  const [query, setQuery] = useState("");
  const [provider, setProvider] = useState<string>();
  const providers = useMemo(() => providersOf(chats), [chats]);
  const shown = useMemo(() => found(chats, query, provider), [chats, query, provider]);

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
      {shown && shown.length > 0 ? (
        <ul className="chats" onKeyDown={moveFocus}>
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

function providersOf(chats: Props["chats"]): string[] {
  return [...new Set([...(chats?.values() ?? [])].map(({ provider }) => provider))].sort().reverse();
}

function found(chats: Props["chats"], query: string, provider: string | undefined): ChatView[] | undefined {
  if (!chats) return undefined;
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return [...chats.values()]
    .filter((chat) => provider === undefined || chat.provider === provider)
    .filter((chat) => {
      const haystack = [chat.title, chat.username, chat.id, chat.last?.text].join(" ").toLocaleLowerCase();
      return words.every((word) => haystack.includes(word));
    })
    .sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0) || a.title.localeCompare(b.title));
}

/** Up and down walk the list, as in any messenger; Tab still leaves it. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const next = links[links.findIndex((link) => link.matches(":focus")) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
