import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Bot } from "../engine/bot.ts";
import type { CompileReply } from "./compile-reply.ts";
import { finishTurn } from "./finish-turn.ts";
import { loadBot } from "./load-bot.ts";
import { handoverRow, operatorTurn, relayRow, returnedRow } from "./operator-replies.ts";
import type { ChatRow, ReplyRow, TurnRow } from "./rows.ts";
import { patienceOf, situationOf, type Turn, type TurnKey, turnKey, turnShape } from "./turn.ts";

export interface EngineDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly compile: CompileReply;
}

export interface Engine {
  /** Answers waiting messages. */
  round(): Promise<Worked>;
}

export interface Worked {
  readonly messages: number;
  /** A customer called an operator. */
  readonly hasCalled: boolean;
}

const nothing: Worked = { messages: 0, hasCalled: false };

const chatsAtOnce = 100;
const messagesPerChat = 20;

/**
 * Messages are processed in batches: take, answer, write, in one transaction. If a batch fails, its chats are processed one by one, so
 * that a failing message does not block others.
 */
export function createEngine(deps: EngineDeps): Engine {
  const bots = knownBots();
  return {
    async round() {
      try {
        return await workOn(chatsAtOnce, messagesPerChat, bots, deps);
      } catch (error) {
        deps.log.warn({ err: error }, "a set of messages failed and is worked on one by one");
        return oneByOne(bots, deps);
      }
    },
  };
}

async function oneByOne(bots: KnownBots, deps: EngineDeps): Promise<Worked> {
  let worked = nothing;
  for (;;) {
    const trial: { turn?: TurnKey } = {};
    try {
      const { messages, hasCalled } = await workOn(1, 1, bots, deps, (turn) => {
        trial.turn = turn;
      });
      if (messages === 0) return worked;
      worked = { messages: worked.messages + messages, hasCalled: worked.hasCalled || hasCalled };
    } catch (error) {
      if (!trial.turn) throw error;
      const { workspace_id, provider, chat_id, provider_message_id } = trial.turn;
      const message = messageOf(error);
      deps.log.error({ err: error, chat_id, provider_message_id }, "a message could not be worked on");
      await deps.sql`
        select shopbot.fail_turn(${workspace_id}, ${provider}, ${chat_id}, ${provider_message_id}, ${message},
          ${deps.clock.now()})`;
    }
  }
}

function workOn(
  chats: number,
  perChat: number,
  bots: KnownBots,
  deps: EngineDeps,
  onTurn?: (turn: TurnKey) => void,
): Promise<Worked> {
  return deps.sql.begin(async (tx) => {
    const rows = await tx`select * from shopbot.take_turns(${chats}, ${perChat})`;
    if (rows.length === 0) return nothing;
    // Read after the chats are locked, so that earlier messages have earlier times.
    const now = deps.clock.now();
    const sheet = newSheet();
    for (const row of rows) {
      onTurn?.(turnKey.parse(row));
      const turn = turnShape.parse(row);
      const bot = await bots.of(tx, turn);
      if (turn.chat_id === bot.operatorsChatId) listenToOperator(turn, bot, sheet, deps, now);
      else await answerCustomer(tx, turn, bot, sheet, deps, now);
    }
    await tx`
      select shopbot.end_turns(${JSON.stringify(sheet.turns)}::text::jsonb,
        ${JSON.stringify([...sheet.chats.values()])}::text::jsonb, ${JSON.stringify(sheet.replies)}::text::jsonb, ${now})`;
    for (const act of sheet.after) await act(tx);
    return { messages: rows.length, hasCalled: [...sheet.chats.values()].some(({ called }) => called) };
  });
}

/** Rows to be written by the transaction. */
interface Sheet {
  readonly turns: TurnRow[];
  readonly chats: Map<string, ChatRow>;
  readonly replies: ReplyRow[];
  /** Effects of operators on other chats, run after those chats' own turns. */
  readonly after: ((tx: Transaction) => Promise<void>)[];
}

function newSheet(): Sheet {
  return { turns: [], chats: new Map(), replies: [], after: [] };
}

async function answerCustomer(
  tx: Transaction,
  turn: Turn,
  bot: Bot,
  sheet: Sheet,
  { compile }: EngineDeps,
  now: Date,
): Promise<void> {
  const key = `${turn.workspace_id}/${turn.chat_id}`;
  const earlier = sheet.chats.get(key);
  const known = earlier ? turnAfter(turn, earlier) : turn;
  const concluded = finishTurn(
    turn,
    { situation: situationOf(known), patience: patienceOf(known) },
    { bot, compile, now },
  );
  sheet.turns.push(concluded.row);
  sheet.chats.set(key, {
    workspace_id: turn.workspace_id,
    chat_id: turn.chat_id,
    state: concluded.after.state,
    context: concluded.after.context,
    expires_at: concluded.after.expiresAt,
    tokens: concluded.patience.tokens,
    refilled_at: concluded.patience.refilledAt,
    flooded: concluded.patience.flooded,
    user_id: turn.body.sender.id ?? null,
    user_name: turn.body.sender.name ?? null,
    called: concluded.tellOperators === "handover" || (earlier?.called ?? false),
  });
  if (concluded.row.outcome === "escalated" && bot.operatorsChatId === null)
    sheet.after.push(async (later) => {
      await later`select shopbot.note_operator_missing(${turn.workspace_id}, ${turn.chat_id}, ${now})`;
    });
  if (concluded.reply) sheet.replies.push(concluded.reply);
  if (concluded.tellOperators === "handover")
    sheet.replies.push(await handoverRow(tx, turn, { bot, compile, now }));
  if (concluded.tellOperators === "relay") sheet.replies.push(relayRow(turn, { bot, compile, now }));
}

/** The chat's state after its previous message in this batch. */
function turnAfter(turn: Turn, { state, context, expires_at, tokens, refilled_at, flooded }: ChatRow): Turn {
  return {
    ...turn,
    state: state ?? turn.state,
    context: turnShape.shape.context.parse(context),
    expires_at,
    tokens,
    refilled_at,
    flooded,
  };
}

function listenToOperator(turn: Turn, bot: Bot, sheet: Sheet, { compile }: EngineDeps, now: Date): void {
  const deps = { bot, compile, now };
  const { act, row, replies } = operatorTurn(turn, deps);
  sheet.turns.push(row);
  sheet.replies.push(...replies);
  const { workspace_id } = turn;
  if (act.kind === "answer") {
    const minutes = bot.settings.operators.return_minutes;
    sheet.after.push(async (tx) => {
      await tx`select shopbot.give_to_operator(${workspace_id}, ${act.chatId}, ${minutes}, ${now})`;
    });
  }
  if (act.kind === "give_back") {
    const told = returnedRow(act.chatId, turn, deps);
    sheet.after.push(async (tx) => {
      const [row] = await tx<[{ returned: boolean }]>`
        select shopbot.return_to_bot(${workspace_id}, ${act.chatId}, ${now}) as returned`;
      if (row.returned) await tx`select shopbot.put_replies(${JSON.stringify([told])}::text::jsonb, ${now})`;
    });
  }
}

type KnownBots = ReturnType<typeof knownBots>;

/** Cache of bots by revision. */
function knownBots() {
  const known = new Map<string, { revision: number; bot: Bot }>();
  return {
    async of(tx: Transaction, { workspace_id, revision }: Turn): Promise<Bot> {
      const earlier = known.get(workspace_id);
      if (earlier?.revision === revision) return earlier.bot;
      const bot = await loadBot(tx, workspace_id);
      if (!bot) throw new Error(`workspace ${workspace_id} has no shop bot`);
      known.set(workspace_id, { revision, bot });
      return bot;
    },
  };
}
