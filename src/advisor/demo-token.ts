/** Opens the advisor of a demo, which only this machine reaches; a real installation sets BOT_BACKEND_TOKEN. */
export const demoToken = "molva-demo-advisor-token";
