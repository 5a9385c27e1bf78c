import { defineCommand } from "citty";
export const run = defineCommand({ meta: { name: "run" }, run() {} });
