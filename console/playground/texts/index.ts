/** The page's words, in the languages it speaks. */
import { en } from "./en.ts";
import { ru } from "./ru.ts";

export type Language = "ru" | "en";

/** How many of something, in words that agree with the number. */
type Counted = (count: number) => string;

export type RefusalCode = "BALANCE_TOO_LOW" | "BOT_PRECHECKOUT_TIMEOUT" | "SUBSCRIPTION_ALREADY_ACTIVE";

export interface Texts {
  readonly title: string;
  readonly about: string;
  readonly chats: string;
  readonly search: string;
  readonly clearSearch: string;
  readonly everywhere: string;
  /** People's own Telegram accounts, beside the bots of the messengers. */
  readonly accounts: string;
  readonly filter: string;
  /** The section of places beside the chats. */
  readonly places: string;
  /** What a place of each provider holds; `other` for those this page does not know. */
  readonly placeItems: Readonly<Record<string, Counted>> & { readonly other: Counted };
  readonly placeEmpty: string;
  readonly noSuchPlace: string;
  readonly noSuchPlaceHint: string;
  readonly openInTab: string;
  readonly loadingPlace: string;
  readonly nothingFound: (query: string) => string;
  readonly noChats: string;
  readonly noChatsHint: string;
  readonly loadingChats: string;
  readonly chatsFailed: string;
  readonly choose: string;
  readonly chooseHint: string;
  readonly noSuchChat: string;
  readonly noSuchChatHint: string;
  readonly noMessages: string;
  readonly noMessagesHint: string;
  readonly loadingMessages: string;
  readonly messagesFailed: string;
  readonly retry: string;
  readonly disconnected: string;
  readonly back: string;
  readonly kinds: { readonly channel: string; readonly group: string; readonly dialog: string };
  readonly posts: Counted;
  readonly messages: Counted;
  readonly newMessages: Counted;
  readonly unread: Counted;
  readonly toNewest: string;
  readonly typing: string;
  readonly today: string;
  readonly yesterday: string;
  readonly edited: string;
  readonly silent: string;
  readonly protected: string;
  readonly views: Counted;
  readonly bot: string;
  readonly you: string;
  readonly revealText: string;
  readonly revealMedia: string;
  readonly expand: string;
  readonly collapse: string;
  readonly copy: string;
  readonly copied: string;
  readonly copiedText: (text: string) => string;
  readonly media: {
    readonly photo: string;
    readonly video: string;
    readonly animation: string;
    readonly audio: string;
    readonly voice: string;
    readonly document: string;
    readonly sticker: string;
    readonly other: string;
  };
  readonly mediaFailed: string;
  readonly openPhoto: string;
  readonly openOriginal: string;
  readonly download: string;
  readonly play: string;
  readonly pause: string;
  readonly position: string;
  readonly close: string;
  readonly previous: string;
  readonly next: string;
  readonly ofTotal: (index: number, total: number) => string;
  readonly goToReplied: string;
  readonly wouldOpen: string;
  readonly pressFailed: (reason: string) => string;
  /** What a messenger's app says where its server answers with a code. */
  readonly refusals: Readonly<Record<RefusalCode, string>>;
  readonly write: string;
  readonly send: string;
  readonly attach: string;
  readonly attachFile: string;
  readonly removeFile: string;
  readonly removePhoto: string;
  readonly notAnImage: string;
  readonly sayFailed: (reason: string) => string;
  readonly readOnly: { readonly channel: string; readonly group: string; readonly dialog: string };
  readonly guest: string;
  readonly newDialogue: string;
  readonly start: string;
  readonly noBots: string;
  readonly startFailed: (reason: string) => string;
  readonly reply: string;
  readonly cancelReply: string;
  readonly language: string;
  readonly theme: { readonly system: string; readonly light: string; readonly dark: string };
}

export const texts: Readonly<Record<Language, Texts>> = { ru, en };
