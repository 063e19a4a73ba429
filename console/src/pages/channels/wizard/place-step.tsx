import { type FormEvent, useState } from "react";
import { useChange } from "../../../api/index.ts";
import { useTexts } from "../../../texts/index.ts";
import { Button, Notice, SelectField, Skeleton, TextField, useOnce, wordsOf } from "../../../ui/index.ts";
import { channelTopics, createChannel, faultUnder, namesField, usePlaces } from "../calls.ts";
import type { Channel, PlatformName } from "../shapes.ts";
import { useWords } from "../use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly platform: PlatformName;
  readonly authRef: string;
  readonly mayAskPlaces: boolean;
  readonly onCreated: (channel: Channel) => void;
}

/** Platforms that tell where an account may post; messengers do not. */
const tellPlaces: readonly PlatformName[] = ["vk", "wordpress", "pinterest"];

export function PlaceStep({ workspaceId, platform, authRef, mayAskPlaces, onCreated }: Props) {
  const { wizard } = useWords();
  const texts = useTexts();
  const [byHand, setByHand] = useState(false);
  const asks = mayAskPlaces && tellPlaces.includes(platform);
  const places = usePlaces(workspaceId, { platform, auth_ref: authRef }, asks);
  const create = useChange(
    (target_id: string) =>
      createChannel(workspaceId, { platform, auth_ref: authRef, target_id, enabled: false }),
    channelTopics,
  );
  const send = useOnce(async (target: string) => {
    const made = await create.mutateAsync(target).catch(() => undefined);
    if (made) onCreated(made); // otherwise shown from create.error
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(String(new FormData(event.currentTarget).get("target_id")).trim());
  };
  const listed = places.data?.items ?? [];
  const chooses = asks && !byHand && listed.length > 0;
  const fault = faultUnder(create.error, "/target_id");
  if (asks && places.isPending) return <Skeleton height={80} />;
  return (
    <form className="form" onSubmit={submit}>
      <ol className="wizard-todo">
        {wizard.todo[platform].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {asks && places.error && (
        <Notice tone="warn" title={wizard.noPlaces}>
          {wordsOf(places.error, texts)}
        </Notice>
      )}
      {create.error && !namesField(create.error) && (
        <Notice tone="bad">{wordsOf(create.error, texts)}</Notice>
      )}
      {chooses ? (
        <SelectField label={wizard.place[platform]} name="target_id" fault={fault}>
          {listed.map(({ target_id, title, members }) => (
            <option key={target_id} value={target_id}>
              {members === null ? title : wizard.members(title, members)}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField
          key="typed"
          label={wizard.place[platform]}
          hint={wizard.placeHints[platform]}
          fault={fault}
          name="target_id"
          placeholder={wizard.placeExamples[platform]}
          maxLength={200}
          required
          autoComplete="off"
        />
      )}
      <div className="form-actions">
        {chooses && <Button onClick={() => setByHand(true)}>{wizard.byHand}</Button>}
        <Button look="main" type="submit" busy={create.isPending}>
          {wizard.createAndTest}
        </Button>
      </div>
    </form>
  );
}
