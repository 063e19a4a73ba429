import { type FormEvent, useState } from "react";
import { useChange } from "../../../api/index.ts";
import { useTexts } from "../../../texts/index.ts";
import { Button, Notice, TextField, toast, useOnce, wordsOf } from "../../../ui/index.ts";
import { changeChannel, channelTopics, faultUnder, nameOf, namesField, operate } from "../calls.ts";
import type { Channel } from "../shapes.ts";
import { useWords } from "../use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly channel: Channel;
  readonly onDone: () => void;
}

/** A name, labels, and which posts it takes; then the channel is switched on. */
export function FinishStep({ workspaceId, channel, onDone }: Props) {
  const texts = useWords();
  const common = useTexts();
  const [takes, setTakes] = useState("");
  const finish = useChange(async (body: Readonly<Record<string, unknown>>) => {
    await changeChannel(workspaceId, channel.channel_id, body);
    await operate(workspaceId, channel.channel_id, { deed: "resume", reason: "" });
  }, channelTopics);
  const send = useOnce(async (body: Readonly<Record<string, unknown>>) => {
    const done = await finish.mutateAsync(body).then(
      () => true,
      () => false, // shown from finish.error
    );
    if (!done) return;
    toast(texts.wizard.done(nameOf(channel)));
    onDone();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const wanted = tagsOf(takes);
    send({
      title: String(form.get("title")).trim() || null,
      tags: tagsOf(String(form.get("tags"))),
      route_filter: wanted.length > 0 ? { include_any: wanted } : null,
    });
  };
  return (
    <form className="form" onSubmit={submit}>
      {finish.error && !namesField(finish.error) && (
        <Notice tone="bad">{wordsOf(finish.error, common)}</Notice>
      )}
      <TextField
        label={texts.settings.fields.title[0]}
        fault={faultUnder(finish.error, "/title")}
        name="title"
        defaultValue={channel.title ?? ""}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label={texts.settings.fields.tags[0]}
        hint={texts.settings.fields.tags[1]}
        fault={faultUnder(finish.error, "/tags")}
        name="tags"
        autoComplete="off"
      />
      <TextField
        label={texts.settings.fields["route_filter.include_any"][0]}
        hint={texts.wizard.takesHint}
        fault={faultUnder(finish.error, "/route_filter")}
        value={takes}
        onChange={(event) => setTakes(event.target.value)}
        autoComplete="off"
      />
      {takes.trim() === "" && <Notice tone="warn">{texts.wizard.takesAll}</Notice>}
      <div className="form-actions">
        <Button look="main" type="submit" busy={finish.isPending}>
          {texts.wizard.switchOn}
        </Button>
      </div>
    </form>
  );
}

const tagsOf = (text: string) =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
