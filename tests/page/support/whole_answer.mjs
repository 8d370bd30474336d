// A fake model's answer in one piece, for requests that do not stream.

/** Writes what startFakeModel's `answer` returned as one JSON object. */
export function answerWhole(response, { text = null, calls }, number) {
  response.writeHead(200, { 'content-type': 'application/json' });
  const tool_calls = calls?.map(({ name, arguments: args }, at) => ({
    id: `call-${number}-${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  response.end(
    JSON.stringify({
      id: `chatcmpl-${number}`,
      object: 'chat.completion',
      created: 0,
      model: 'fake',
      choices: [{ index: 0, message: { role: 'assistant', content: text, tool_calls }, finish_reason: calls ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
}
