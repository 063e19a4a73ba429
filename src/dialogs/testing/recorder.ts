import type { Invoice } from "../flow/invoice.ts";
import type {
  Messenger,
  Outgoing,
  OutgoingFile,
  ReplyKeyboard,
  Screen,
  ScreenButton,
  Shown,
} from "../messenger.ts";

export interface ChatMessage {
  readonly id: string;
  readonly text: string;
  readonly buttons: readonly ScreenButton[];
  readonly rows?: readonly (readonly ScreenButton[])[];
  readonly keyboard?: ReplyKeyboard | undefined;
  readonly picture?: OutgoingFile | undefined;
}

/** A messenger that records what people would see, and refuses on demand. */
export interface Recorder extends Messenger {
  messages(chatId: string): readonly ChatMessage[];
  /** The last changed message with buttons, else the last message. */
  last(chatId: string): ChatMessage;
  readonly answers: { readonly pressId: string; readonly text: string | undefined }[];
  readonly removed: string[];
  readonly typed: string[];
  /** The next calls of `send` and `edit` return these instead. */
  readonly refusals: (Shown | Error | undefined)[];
  lose(chatId: string, messageId: string): void;
  readonly drafts: { readonly id: number; readonly text: string }[];
  /** What the messenger behind it refused to show. */
  readonly refused: { readonly screen: Screen; readonly shown: Shown }[];
  readonly invoices: Invoice[];
  readonly sent: Outgoing[];
  /** Files that people sent, by id. */
  readonly files: Map<string, Uint8Array>;
}

/** With a messenger behind it, every screen is shown there too, and its refusals are returned. */
export function createRecorder(behind?: Messenger, { longestText = 4_096 } = {}): Recorder {
  const chats = new Map<string, ChatMessage[]>();
  const touched = new Map<string, string>();
  const refusals: (Shown | Error | undefined)[] = [];
  let count = 0;
  const messages = (chatId: string) => chats.get(chatId) ?? [];
  const messageOf = (id: string, screen: Screen): ChatMessage => ({
    id,
    text: screen.text,
    buttons: screen.rows.flat(),
    rows: screen.rows,
    keyboard: screen.keyboard,
    picture: screen.picture,
  });
  const refusal = (): Shown | undefined => {
    const next = refusals.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  const passedOn = async (screen: Screen, shown: Promise<Shown> | undefined): Promise<Shown | undefined> => {
    const answer = await shown;
    if (answer && answer.kind !== "shown") recorder.refused.push({ screen, shown: answer });
    return answer;
  };
  const recorder: Recorder = {
    refused: [],
    answers: [],
    removed: [],
    typed: [],
    drafts: [],
    invoices: [],
    sent: [],
    files: new Map(),
    longestText,
    longestCaption: 1_024,
    refusals,
    messages,
    last(chatId) {
      const found = messages(chatId).find(({ id }) => id === touched.get(chatId));
      if (!found) throw new Error(`nothing is shown in ${chatId}`);
      return found;
    },
    lose: (chatId, messageId) =>
      void chats.set(
        chatId,
        messages(chatId).filter(({ id }) => id !== messageId),
      ),
    async send(chatId, screen) {
      const refused = refusal();
      if (refused) return refused;
      const shown = await passedOn(screen, behind?.send(chatId, screen));
      if (shown && shown.kind !== "shown") return shown;
      count += 1;
      const id = shown?.messageId ?? `m${count}`;
      chats.set(chatId, [...messages(chatId), messageOf(id, screen)]);
      touched.set(chatId, id);
      return { kind: "shown", messageId: id };
    },
    async edit(chatId, id, screen) {
      const refused = refusal();
      if (refused) return refused;
      if (!messages(chatId).some((message) => message.id === id)) return { kind: "gone" };
      const shown = await passedOn(screen, behind?.edit(chatId, id, screen));
      if (shown && shown.kind !== "shown") return shown;
      chats.set(
        chatId,
        messages(chatId).map((message) => (message.id === id ? messageOf(id, screen) : message)),
      );
      touched.set(chatId, id);
      return { kind: "shown", messageId: id };
    },
    async sendFile(chatId, outgoing) {
      const refused = refusal() ?? (await behind?.sendFile(chatId, outgoing));
      if (refused && refused.kind !== "shown") return refused;
      recorder.sent.push(outgoing);
      count += 1;
      return { kind: "shown", messageId: `m${count}` };
    },
    async invoice(chatId, invoice) {
      const refused = refusal() ?? (await behind?.invoice?.(chatId, invoice));
      if (refused && refused.kind !== "shown") return refused;
      recorder.invoices.push(invoice);
      count += 1;
      return { kind: "shown", messageId: `m${count}` };
    },
    async retire(chatId, id) {
      chats.set(
        chatId,
        messages(chatId).map((message) => (message.id === id ? { ...message, buttons: [] } : message)),
      );
    },
    async remove(chatId, messageId) {
      recorder.removed.push(messageId);
      recorder.lose(chatId, messageId);
    },
    async answer(pressId, text) {
      recorder.answers.push({ pressId, text });
    },
    async typing(chatId) {
      recorder.typed.push(chatId);
    },
    async draft(_, id, { text }) {
      recorder.drafts.push({ id, text });
      return true;
    },
    async download(fileId, longest) {
      const bytes = recorder.files.get(fileId);
      if (!bytes) return { kind: "gone" };
      return bytes.byteLength > longest.bytes ? { kind: "too large" } : { kind: "file", bytes };
    },
  };
  return recorder;
}
