/** The demo's token, valid only from the same machine; a real installation sets BOT_BACKEND_TOKEN. */
export const demoToken = "molva-demo-advisor-token";
