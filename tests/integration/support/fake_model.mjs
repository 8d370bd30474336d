// An OpenAI-compatible model whose every answer the test decides from the request.
import { startModelServer } from './model_server.mjs';

/**
 * Starts a model. `answer(request, n)` returns for the n-th request (from 0) `{text}` or
 * `{calls: [{name, arguments}]}`, and `write` sends it: as a stream, unless told otherwise. Has `url`
 * and `requests`, the bodies in order of arrival. The test fails if one of them is what OpenAI refuses.
 */
export async function startFakeModel(t, answer, write = respond) {
  const requests = [];
  const url = await startModelServer(t, (body, response) => {
    requests.push(body);
    write(response, answer(body, requests.length - 1), requests.length);
  });
  return { url, requests };
}

/** Writes an answer as a stream in one go. */
export function respond(response, { text, calls }, number) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, finish_reason = null) =>
    response.write(
      `data: ${JSON.stringify({
        id: `chatcmpl-${number}`,
        object: 'chat.completion.chunk',
        created: 0,
        model: 'fake',
        choices: [{ index: 0, delta, finish_reason }],
      })}\n\n`,
    );
  send({ role: 'assistant', content: text ?? null });
  calls?.forEach((call, index) => {
    const id = `call-${number}-${index}`;
    send({
      tool_calls: [
        {
          index,
          id,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        },
      ],
    });
  });
  send({}, calls ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}
