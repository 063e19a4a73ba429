export { type Service, type ServiceEvents, serviceGroup } from "./service-group.ts";
export { createStopController } from "./stop-controller.ts";
export { stoppedTogether } from "./stopped-together.ts";
