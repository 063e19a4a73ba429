/** The page: chats and sites on the left, the open one on the right; on a phone one of them at a time. */
import { useEffect, useMemo, useState } from "react";
import { say, startDialogue } from "./api.ts";
import { ChatList } from "./components/ChatList.tsx";
import { ChatPane } from "./components/ChatPane.tsx";
import { Header } from "./components/Header.tsx";
import { LinkNotice } from "./components/LinkNotice.tsx";
import { Notice } from "./components/Notice.tsx";
import { PlacePane } from "./components/PlacePane.tsx";
import { unreadOf } from "./model/state.ts";
import { nameOf, replaceRoute, returnOf, useHash, usePlaceRoute, useRoute, useStart } from "./route.ts";
import { useSettings } from "./settings.tsx";
import type { ChatView } from "./types.ts";
import { useNow } from "./useNow.ts";
import { useTwins } from "./useTwins.ts";

export function App() {
  const { texts } = useSettings();
  const route = useRoute();
  const placeRoute = usePlaceRoute();
  const { state, loadOlder, retry } = useTwins(route);
  const now = useNow();
  const unread = useMemo(
    () => new Map([...(state.chats?.keys() ?? [])].map((key) => [key, unreadOf(state, key)])),
    [state],
  );
  useTitle(
    texts.title,
    [...unread.values()].reduce((a, b) => a + b, 0),
  );

  const startFault = useStartLink();
  useReturn();
  const named = useNamed(state.chats);
  const chat = route && state.chats?.get(route.key);
  const place = placeRoute && state.places.get(placeRoute.key);
  return (
    <div className="app" data-pane={route || placeRoute ? "chat" : "list"}>
      <Header />
      <LinkNotice link={state.link} />
      <ChatList
        chats={state.chats}
        places={state.places}
        failed={state.chatsFailed}
        unread={unread}
        typing={state.typing}
        open={route?.key}
        openPlace={placeRoute?.key}
        now={now}
        retry={retry}
      />
      <main className="pane">
        {place ? (
          <PlacePane key={placeRoute.key} place={place} />
        ) : placeRoute && state.chats ? (
          <Notice title={texts.noSuchPlace} hint={texts.noSuchPlaceHint} back />
        ) : placeRoute ? (
          <Notice title={state.link === "lost" ? texts.disconnected : texts.loadingPlace} busy back />
        ) : chat ? (
          <ChatPane
            key={route.key}
            chat={chat}
            room={state.rooms.get(route.key)}
            typing={state.typing.has(route.key)}
            draft={state.drafts.get(route.key)}
            answer={state.answers.get(route.key)}
            now={now}
            loadOlder={loadOlder}
            retry={retry}
          />
        ) : startFault !== undefined ? (
          <Notice title={startFault} back />
        ) : (route || named) && state.chats ? (
          <Notice title={texts.noSuchChat} hint={texts.noSuchChatHint} back />
        ) : route ? (
          <Notice title={state.link === "lost" ? texts.disconnected : texts.loadingMessages} busy back />
        ) : (
          <Notice title={texts.choose} hint={texts.chooseHint} />
        )}
      </main>
    </div>
  );
}

/** Follows a link that begins a dialogue; returns the error if it could not. */
function useStartLink(): string | undefined {
  const { texts, language } = useSettings();
  const bot = useStart();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    setFault(undefined);
    if (bot === undefined) return;
    let left = false;
    void startDialogue(bot, { name: texts.guest, language }).then((done) => {
      if (left) return;
      if (done.ok) replaceRoute(done.answer.provider, done.answer.id);
      else setFault(texts.startFailed(done.reason));
    });
    return () => {
      left = true;
    };
  }, [bot, texts, language]);
  return fault;
}

/** Follows a link back to a talk: what it carries is said there, as the messenger's app does. */
function useReturn(): void {
  const { texts } = useSettings();
  const back = useHash(returnOf);
  useEffect(() => {
    if (!back) return;
    replaceRoute(back.provider, back.id);
    void say(back, { name: texts.guest, text: `/start ${back.payload}` });
  }, [back, texts]);
}

/** Follows a link to a chat by its public name; returns the name until it is found. */
function useNamed(chats: ReadonlyMap<unknown, ChatView> | undefined): string | undefined {
  const sought = useHash(nameOf);
  useEffect(() => {
    if (!sought) return;
    const { provider, username } = sought;
    const chat = [...(chats?.values() ?? [])].find(
      (each) =>
        each.provider === provider && each.username?.toLocaleLowerCase() === username.toLocaleLowerCase(),
    );
    if (chat) replaceRoute(provider, chat.id);
  }, [sought, chats]);
  return sought?.username;
}

function useTitle(title: string, unread: number): void {
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
  }, [title, unread]);
}
