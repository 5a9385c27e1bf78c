import { anthropic } from "@tsukumo/client/anthropic";
import { toolDefinitions } from "@tsukumo/tool";
import { Worker } from "@tsukumo/worker";
import * as weather from "../../fixtures/demo/dist/tools/weather.js";

export const worker = Worker.create(anthropic({ model: "m" }), { tools: toolDefinitions(weather) });
