/** tasks/get, tasks/update and tasks/cancel. @see https://modelcontextprotocol.io/seps/2663-tasks-extension */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server as SdkServer,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import type { McpServer } from "./server.js";
import type { Task } from "./tasks.js";
import { type Caller, knowsTasks, TASKS_EXTENSION } from "./tool-calls.js";

interface TaskParams {
  readonly taskId: string;
  readonly inputResponses?: Readonly<Record<string, unknown>>;
}

export function handleTaskRequests(
  sdk: SdkServer,
  server: McpServer,
  callerOf: (context: ServerContext) => Caller,
): void {
  if (server.options.tasks === undefined) return;
  const handle = (method: string, answer: (task: Task, params: TaskParams, context: ServerContext) => object): void => {
    sdk.setRequestHandler(method, { params: PARAMS }, (params, context) => {
      if (!knowsTasks(callerOf(context)))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        });
      const task = server.tasks.get(params.taskId, context.http?.authInfo?.clientId);
      if (task === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown task: ${JSON.stringify(params.taskId)}`);
      return { ...answer(task, params, context) };
    });
  };
  handle("tasks/get", (task) => task.details());
  handle("tasks/update", (task, params, context) => {
    // The SDK lifts the responses out of every request.
    task.update(context.mcpReq.inputResponses ?? params.inputResponses ?? {});
    return {};
  });
  handle("tasks/cancel", (task) => {
    task.cancel();
    return {};
  });
}

const PARAMS: StandardSchemaV1<TaskParams, TaskParams> = {
  "~standard": {
    version: 1,
    vendor: "tsukumo",
    validate: (value) =>
      isTaskParams(value) ? { value } : { issues: [{ message: "taskId must be text, inputResponses an object" }] },
  },
};

function isTaskParams(value: unknown): value is TaskParams {
  if (typeof value !== "object" || value === null || !("taskId" in value)) return false;
  const responses = "inputResponses" in value ? value.inputResponses : {};
  return typeof value.taskId === "string" && typeof responses === "object" && responses !== null;
}
