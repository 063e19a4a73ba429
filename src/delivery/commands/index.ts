import type { AddCommand } from "../../terminal/index.ts";
import { addAlert } from "./alert.ts";
import { addChannelCommand } from "./channel.ts";
import { addCorrection } from "./correct.ts";
import { addCredentialCommand } from "./credential.ts";
import { addDelivery } from "./delivery.ts";
import { addEndpointCommand } from "./endpoint.ts";
import { addEvent } from "./event.ts";
import { addFailures } from "./failures.ts";
import { addLimitCommand } from "./limit.ts";
import { addMessage } from "./message.ts";
import { addMonitor } from "./monitor.ts";
import { addPost } from "./post.ts";
import { addQueue } from "./queue.ts";
import { addRender } from "./render.ts";
import { addSourceCommand } from "./source.ts";
import { addTail } from "./tail.ts";
import { addTemplateCommand } from "./template.ts";
import { addWebhookCommand } from "./webhook.ts";
import { addWhy } from "./why.ts";

/** Commands for posts, their channels and their sources. */
export const deliveryCommands: readonly AddCommand[] = [
  addPost,
  addRender,
  addWhy,
  addTail,
  addQueue,
  addFailures,
  addDelivery,
  addMessage,
  addCorrection,
  addEvent,
  addEndpointCommand,
  addChannelCommand,
  addLimitCommand,
  addCredentialCommand,
  addTemplateCommand,
  addSourceCommand,
  addMonitor,
  addAlert,
  addWebhookCommand,
];
