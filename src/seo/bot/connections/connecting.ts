/** What the four ways to connect a platform have in common. They are asked by flows of their own, and inside the pipelines. */
import { z } from "zod";
import type { AskState, StepResult, Target, Targets, Work } from "../../../dialogs/index.ts";
import { rowOf } from "../../../kernel/crypto/index.ts";
import { connectPlatform, reconnectPlatform } from "../../connections/connect.ts";
import type { NewSeoConnection, SeoConnection } from "../../connections/shape.ts";
import { botName } from "../bot-name.ts";
import { type BotServices, type BotVisit, whoseOf } from "../services.ts";
import { type Attempted, attempted } from "../told.ts";

export type ConnectWork<Data> = Work<Data, BotServices>;
export type ConnectButtons<Data, Name extends string> = NonNullable<
  AskState<Data, Name, BotServices>["buttons"]
>;

/** What a flow that connects a platform gives; `Role` names the states. */
export interface Connecting<Data, Name extends string, Role extends string> {
  /** How the flow calls the states. */
  readonly names: Readonly<Record<Role, Name>>;
  projectId(data: Data): number;
  /** The connection that gets another account; a new one is made unless given. */
  connectionId?(data: Data): number | undefined;
  readonly to: Targets<Name>;
  /** Once the platform has let the account in. */
  connected(
    work: ConnectWork<Data>,
    connection: SeoConnection,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
  /** Further ways on where it did not work out, such as to do without. */
  readonly beside?: ConnectButtons<Data, Name>;
}

/** Why it did not work out, as the person is told. */
export const said = z.object({ ru: z.string(), en: z.string() });
export const nothingSaid: z.infer<typeof said> = { ru: "", en: "" };

export function targetsOf<Name extends string>(
  to: Targets<Name>,
  ...more: readonly Name[]
): readonly [Target<Name>, ...Target<Name>[]] {
  const [first, ...rest] = typeof to === "string" ? [to] : to;
  return [first, ...rest, ...more];
}

/** Connects, or gives the connection another account. */
export function connectNow<Data>(
  work: ConnectWork<Data>,
  { projectId, connectionId }: { readonly projectId: number; readonly connectionId: number | undefined },
  wanted: NewSeoConnection,
): Promise<Attempted<SeoConnection>> {
  const { services } = work;
  const whose = whoseOf(work);
  return attempted(() =>
    connectionId === undefined
      ? connectPlatform(services, whose, projectId, wanted)
      : reconnectPlatform(services, whose, connectionId, wanted.fields),
  );
}

/** A secret between two states of a dialogue; it opens in this chat alone. */
export const seal = (visit: Sealing, secret: string): string =>
  visit.services.vault.encrypt(secret, placeOf(visit));
export const unseal = (visit: Sealing, sealed: string): string =>
  visit.services.vault.decrypt(sealed, placeOf(visit));

type Sealing = Pick<BotVisit, "workspaceId" | "chatId" | "services">;
const placeOf = ({ workspaceId, chatId }: Sealing) =>
  rowOf("dialogs.dialogues", workspaceId, botName, chatId);
