/** Reads deliveries, messages and events, and operates on deliveries: what the command line uses. */
export { type Event, latestEvents } from "../read/events.ts";
export type { ByChannel } from "./by-channel.ts";
export { type Cancelled, cancelMany, type WaitingFilter, waitingStates } from "./cancel-many.ts";
export { addressedSchema, type Delivery, pageSchema } from "./delivery.ts";
export { followEvents } from "./follow-events.ts";
export { listDeliveries } from "./list-deliveries.ts";
export { listMessages, type Message, messageStatuses, showMessage } from "./messages.ts";
export {
  type Act,
  mostAtOnce,
  type Operated,
  type Operation,
  operate,
  releaseStuck,
  requeueCandidates,
  reschedule,
} from "./operations.ts";
export { type Queue, queueSnapshot } from "./queue.ts";
export { type Help, helps, type Reason, reasons } from "./reasons.ts";
export { type Recovered, recover } from "./recover.ts";
export { type DeliveryDetail, showDelivery } from "./show-delivery.ts";
export { type Status, statuses } from "./statuses.ts";
export type { Why } from "./why.ts";
export { type MessageWhy, whyMessage } from "./why-message.ts";
