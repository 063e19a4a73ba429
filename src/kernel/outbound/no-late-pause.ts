import type { Dispatcher } from "undici";

/**
 * undici 7 ends the whole process when a server closes the connection right after a body whose reader has paused.
 * A complete body needs no pause, and without a length nobody knows whether a body is complete, so neither is paused.
 */
export const noLatePause: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let expected = Number.POSITIVE_INFINITY;

  return dispatch(options, {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart(controller, status, headers, message) {
      if (headers["transfer-encoding"] === undefined) expected = Number(headers["content-length"] ?? 0);
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      expected -= chunk.length;
      handler.onResponseData?.(expected > 0 ? controller : withoutPause(controller), chunk);
    },
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};

function withoutPause(controller: Dispatcher.DispatchController): Dispatcher.DispatchController {
  return {
    get aborted() {
      return controller.aborted;
    },
    get paused() {
      return controller.paused;
    },
    get reason() {
      return controller.reason;
    },
    abort: (reason) => controller.abort(reason),
    pause: () => undefined,
    resume: () => controller.resume(),
  };
}
