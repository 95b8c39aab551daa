// Reads AI SDK UI message streams with the official package. In: a JSON list of event streams as text. Out: for each
// one its parts, the message they make, the error parts among them, and what the package could not read.
// First argument: the folder that holds node_modules.

import { createRequire } from "node:module";
import { join } from "node:path";

const { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } = createRequire(join(process.argv[2], "/"))("ai");

async function read(text) {
  const parts = [];
  const faults = [];
  const bytes = new Blob([text]).stream();
  const checked = parseJsonEventStream({ stream: bytes, schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream({
      transform(result, controller) {
        if (!result.success) {
          faults.push(String(result.error));
          return;
        }
        parts.push(result.value);
        controller.enqueue(result.value);
      },
    }),
  );
  const said = [];
  let message = null;
  const stream = readUIMessageStream({ stream: checked, onError: (error) => said.push(error.message) });
  for await (const snapshot of stream) message = snapshot;
  const told = parts.filter((part) => part.type === "error").map((part) => part.errorText);
  for (const fault of said) if (!told.includes(fault)) faults.push(fault);
  return { parts, message, errors: told, faults };
}

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const streams = JSON.parse(Buffer.concat(chunks).toString("utf8"));
const answers = [];
for (const text of streams) answers.push(await read(text));
process.stdout.write(JSON.stringify(answers));
