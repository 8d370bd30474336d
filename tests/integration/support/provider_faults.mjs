// Answers of five providers, whole and broken, as the bytes of their streams and refusals.

const sse = (data) => `data: ${JSON.stringify(data)}\n\n`;
const named = (data) => `event: ${data.type}\n${sse(data)}`;
const line = (data) => `${JSON.stringify(data)}\n`;

const chunk = (delta, finish_reason = null) => sse({ choices: [{ index: 0, delta, finish_reason }] });
const candidate = (parts, finishReason) =>
  sse({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }] });
const spoken = (content, more = {}) =>
  line({ model: 'm', message: { role: 'assistant', content }, done: false, ...more });

const block = (type, more) => named({ type, index: 0, ...more });
const place = { item_id: 'msg_1', output_index: 0 };
const message = (text) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: text ? [{ type: 'output_text', text, annotations: [] }] : [],
});

const openaiErrors = {
  rate: [429, { message: 'slower', type: 'requests', code: 'rate_limit_exceeded' }],
  busy: [503, { message: 'no room', type: 'server_error', code: 'server_is_overloaded' }],
  quota: [429, { message: 'all spent', type: 'insufficient_quota', code: 'insufficient_quota' }],
};

const quota = (quotaId) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId, quotaValue: '15' }],
});
const retryInfo = (retryDelay) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
});
const google = (code, status, message, details) => [code, { code, status, message, details }];

/**
 * What a provider's server sends. `base` is the path of its base URL, `type` that of its streams;
 * `errors` are [status, error] by name, which `refusal` makes a body and `breaks` a text of a stream.
 * A stream is `opens`, which shows nothing yet, then what `says` and `ends` make of a text.
 */
export const wires = {
  openai: {
    base: '/v1',
    type: 'text/event-stream',
    errors: openaiErrors,
    refusal: (error) => ({ error }),
    opens: chunk({ role: 'assistant', content: '' }),
    says: (text) => chunk({ content: text }),
    ends: () => `${chunk({}, 'stop')}data: [DONE]\n\n`,
    breaks: (error) => sse({ error }),
  },
  'openai-responses': {
    base: '/v1',
    type: 'text/event-stream',
    errors: openaiErrors,
    refusal: (error) => ({ error }),
    opens:
      named({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } }) +
      named({ type: 'response.output_item.added', output_index: 0, item: message('') }),
    says: (delta) => named({ type: 'response.output_text.delta', ...place, content_index: 0, delta }),
    ends: (text) =>
      named({ type: 'response.output_item.done', output_index: 0, item: message(text) }) +
      named({
        type: 'response.completed',
        response: { id: 'resp_1', status: 'completed', output: [message(text)] },
      }),
    breaks: (error) =>
      named({ type: 'error', error }) +
      named({ type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } }),
  },
  anthropic: {
    base: '',
    type: 'text/event-stream',
    errors: {
      rate: [429, { type: 'rate_limit_error', message: 'slower' }],
      busy: [529, { type: 'overloaded_error', message: 'no room' }],
      quota: [402, { type: 'billing_error', message: 'all spent' }],
      credit: [
        400,
        { type: 'invalid_request_error', message: 'Your credit balance is too low, all spent' },
      ],
    },
    refusal: (error) => ({ type: 'error', error, request_id: 'req_1' }),
    opens:
      named({
        type: 'message_start',
        message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
      }) +
      named({ type: 'ping' }) +
      block('content_block_start', { content_block: { type: 'text', text: '' } }),
    says: (text) => block('content_block_delta', { delta: { type: 'text_delta', text } }),
    ends: () =>
      block('content_block_stop') +
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) +
      named({ type: 'message_stop' }),
    breaks: (error) => named({ type: 'error', error, request_id: 'req_1' }),
  },
  gemini: {
    base: '/v1beta',
    type: 'text/event-stream',
    errors: {
      rate: google(429, 'RESOURCE_EXHAUSTED', 'slower', [quota('RequestsPerMinute')]),
      timed: google(429, 'RESOURCE_EXHAUSTED', 'slower', [
        quota('RequestsPerMinute'),
        retryInfo('0.4s'),
      ]),
      later: google(429, 'RESOURCE_EXHAUSTED', 'slower', [retryInfo('3600s')]),
      busy: google(503, 'UNAVAILABLE', 'no room'),
      quota: google(429, 'RESOURCE_EXHAUSTED', 'all spent', [
        quota('RequestsPerDay'),
        retryInfo('0.1s'),
      ]),
    },
    refusal: (error) => ({ error }),
    opens: sse({ usageMetadata: { promptTokenCount: 3 } }),
    says: (text) => candidate([{ text }]),
    ends: () => candidate([], 'STOP'),
    breaks: (error) => sse({ error }),
  },
  ollama: {
    base: '',
    type: 'application/x-ndjson',
    errors: {
      rate: [429, 'slower'],
      busy: [503, 'server busy, please try again, no room'],
      quota: [402, 'all spent'],
    },
    refusal: (error) => ({ error }),
    opens: spoken(''),
    says: (text) => spoken(text),
    ends: () => spoken('', { done: true, done_reason: 'stop', eval_count: 1 }),
    breaks: (error) => line({ error }),
  },
};

/** What a server of the provider may do with a response; each takes the response. */
export function actsOf(wire) {
  const begin = (response) => response.writeHead(200, { 'content-type': wire.type });
  return {
    /** Answers with the text. */
    says: (text) => (response) => {
      begin(response);
      response.end(wire.opens + wire.says(text) + wire.ends(text));
    },
    /** Refuses with that error, and these header fields. */
    refuses: (name, fields = {}) => (response) => {
      const [status, error] = wire.errors[name];
      response.writeHead(status, { 'content-type': 'application/json', ...fields });
      response.end(JSON.stringify(wire.refusal(error)));
    },
    /** Begins an answer, says the text, if there is one, and breaks off with that error. */
    breaks: (name, text = '') => (response) => {
      begin(response);
      response.write(wire.opens + (text ? wire.says(text) : ''));
      response.end(wire.breaks(wire.errors[name][1]));
    },
  };
}
