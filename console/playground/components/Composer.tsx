/** Where the person writes to a bot, with or without a photo or a file. */
import { FileText, ImagePlus, Paperclip, SendHorizontal, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SentFile } from "../api.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView, MessageView } from "../types.ts";
import { useActions } from "../useActions.ts";

interface Props {
  readonly chat: ChatView;
  readonly replyTo: MessageView | undefined;
  readonly forgetReply: () => void;
}

export function Composer({ chat, replyTo, forgetReply }: Props) {
  const { texts } = useSettings();
  const { say } = useActions(chat);
  const [text, setText] = useState("");
  const [photo, setPhoto] = useState<string>();
  const [sentFile, setSentFile] = useState<SentFile>();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const ready = (text.trim() !== "" || photo !== undefined || sentFile !== undefined) && !sending;
  // The twin of MAX takes photos only.
  const takesFiles = chat.provider === "telegram";
  const attachLabel = takesFiles ? texts.attachFile : texts.attach;

  const detach = () => {
    setPhoto(undefined);
    setSentFile(undefined);
  };
  const send = async () => {
    if (!ready) return;
    setSending(true);
    const done = await say({
      ...(text.trim() !== "" && { text }),
      ...(photo !== undefined && { photo }),
      ...(sentFile && { file: sentFile }),
      ...(replyTo && { reply_to: replyTo.id }),
    });
    setSending(false);
    setRefusal(done.ok ? undefined : texts.sayFailed(done.reason));
    if (!done.ok) return;
    setText("");
    detach();
    forgetReply();
    field.current?.focus();
  };
  useEffect(() => {
    if (replyTo) field.current?.focus();
  }, [replyTo]);
  const attach = async (chosen: File | undefined) => {
    if (!chosen) return;
    const isImage = chosen.type.startsWith("image/");
    setRefusal(isImage || takesFiles ? undefined : texts.notAnImage);
    if (isImage || takesFiles) detach();
    if (isImage) setPhoto(await dataUrlOf(chosen));
    else if (takesFiles) setSentFile({ kind: "document", name: chosen.name, data: await dataUrlOf(chosen) });
    field.current?.focus();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    // While an input method is choosing a word, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const attachPasted = (event: ClipboardEvent) => {
    const image = [...event.clipboardData.files].find(({ type }) => type.startsWith("image/"));
    if (!image) return;
    event.preventDefault();
    void attach(image);
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {refusal !== undefined && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      {replyTo && (
        <div className="composer-reply">
          <span>
            <strong>{replyTo.author.name}</strong> {replyTo.text || texts.media.other}
          </span>
          <button
            type="button"
            className="icon-button"
            onClick={forgetReply}
            aria-label={texts.cancelReply}
            title={texts.cancelReply}
          >
            <X size={16} />
          </button>
        </div>
      )}
      {photo !== undefined && (
        <div className="composer-photo">
          <img src={photo} alt={texts.media.photo} />
          <button type="button" onClick={detach} aria-label={texts.removePhoto} title={texts.removePhoto}>
            <X size={14} />
          </button>
        </div>
      )}
      {sentFile && (
        <div className="composer-reply">
          <span>
            <FileText size={15} aria-hidden /> {sentFile.name}
          </span>
          <button
            type="button"
            className="icon-button"
            onClick={detach}
            aria-label={texts.removeFile}
            title={texts.removeFile}
          >
            <X size={16} />
          </button>
        </div>
      )}
      <div className="composer-row">
        <button
          type="button"
          className="icon-button"
          onClick={() => file.current?.click()}
          aria-label={attachLabel}
          title={attachLabel}
        >
          {takesFiles ? <Paperclip size={21} /> : <ImagePlus size={22} />}
        </button>
        <input
          ref={file}
          type="file"
          {...(!takesFiles && { accept: "image/*" })}
          hidden
          onChange={({ target }) => {
            void attach(target.files?.[0]);
            target.value = "";
          }}
        />
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={texts.write}
          aria-label={texts.write}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={sendOnEnter}
          onPaste={attachPasted}
        />
        <button
          type="submit"
          className="icon-button composer-send"
          disabled={!ready}
          aria-label={texts.send}
          title={texts.send}
        >
          <SendHorizontal size={22} />
        </button>
      </div>
    </form>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
