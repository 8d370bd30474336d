// Histories as a model sees them: what OpenAI accepts, and what a conversation's export comes to.
import assert from 'node:assert/strict';

/**
 * Fails where OpenAI would refuse these messages: calls without a result right behind them, results
 * without a call, ids used twice, arguments that are not JSON, roles in a place of their own.
 */
export function assertValidHistory(messages) {
  const seen = new Set();
  let open = [];
  messages.forEach((message, i) => {
    const where = `messages[${i}] of ${JSON.stringify(messages)}`;
    if (message.role === 'tool') {
      assert.ok(open.includes(message.tool_call_id), `${where} answers no open call`);
      open = open.filter((id) => id !== message.tool_call_id);
      assert.equal(typeof message.content, 'string', where);
      return;
    }
    assert.deepEqual(open, [], `${where}: calls before it have no result`);
    assert.ok(['system', 'user', 'assistant'].includes(message.role), where);
    if (message.role === 'system') assert.equal(i, 0, where);
    if (message.role !== 'assistant' || !message.tool_calls)
      assert.ok(message.content?.length > 0, `${where} has content`);
    open = (message.tool_calls ?? []).map((call) => checkedCall(call, seen, where));
  });
  assert.deepEqual(open, [], `calls at the end have no result: ${JSON.stringify(messages)}`);
}

function checkedCall({ id, function: made }, seen, where) {
  assert.ok(id && !seen.has(id), `${where}: the id ${id} is used twice`);
  seen.add(id);
  assert.equal(typeof JSON.parse(made.arguments), 'object', where);
  return id;
}

/** Returns a message of an OpenAI request in the form in which histories are compared here. */
export function plain({ role, content, tool_calls: calls, tool_call_id: id }) {
  return {
    role,
    text: content ?? '',
    calls: (calls ?? []).map((call) => [
      call.id,
      call.function.name,
      JSON.parse(call.function.arguments),
    ]),
    answers: id ?? '',
  };
}

/** Returns a message of a conversation's export in the same form. */
export function plainStored({ message }) {
  return {
    role: message.role,
    text: message.text ?? '',
    calls: (message.tool_calls ?? []).map((call) => [
      call.id,
      call.name,
      typeof call.arguments === 'string' ? JSON.parse(call.arguments) : call.arguments,
    ]),
    answers: message.tool_call_id ?? '',
  };
}

/** Fails unless `whole` begins with all of `first`. */
export function assertBeginsWith(whole, first, what) {
  assert.deepEqual(whole.slice(0, first.length), first, what);
}
