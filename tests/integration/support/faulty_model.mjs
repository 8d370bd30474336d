// An OpenAI-compatible model that misbehaves as the test wants, down to the bytes.
import { startModelServer } from './model_server.mjs';

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** What a model may do with a response. */
export const acts = {
  /** Answers with this text, in the form that the request asks for. */
  says: (text) => (response, { stream }) => {
    begin(response, stream);
    if (stream) for (const word of text.split(/(?= )/)) response.write(chunk({ content: word }));
    response.end(stream ? `${chunk({}, 'stop')}data: [DONE]\n\n` : whole(text));
  },
  /** Refuses with a status. */
  refuses: (status, fields = {}) => (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...fields });
    response.end(JSON.stringify({ error: { message: `refused with ${status}` } }));
  },
  /** Says the beginning of an answer, then loses the connection. */
  cuts: (text) => (response, { stream }) => {
    begin(response, stream);
    const half = stream ? chunk({ content: text }) : whole(text).slice(0, -10);
    response.write(half, () => response.destroy());
  },
  /** Says the beginning of an answer, then nothing. */
  stops: (text) => (response, { stream }) => {
    begin(response, stream);
    response.write(stream ? chunk({ content: text }) : whole(text).slice(0, -10));
  },
  /** Goes on and on. */
  drips: (text) => (response, { stream }) => {
    begin(response, stream);
    const timer = setInterval(() => response.write(stream ? chunk({ content: text }) : ' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  /** Takes the request and says nothing. */
  hangs: () => () => {},
};

function begin(response, stream) {
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
}

const whole = (content) =>
  JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });

/**
 * Starts a model that does `script(n, body)` for its n-th request (from 0). Has `url`, `requests`
 * (body, headers, arrival in ms, `closed`: a promise of the connection's end).
 */
export async function startFaultyModel(t, script) {
  const requests = [];
  const url = await startModelServer(t, (body, response, { headers }) => {
    const closed = new Promise((resolve) => response.on('close', resolve));
    requests.push({ body, headers, arrival: performance.now(), closed });
    script(requests.length - 1, body)(response, body);
  });
  return { url, requests };
}
