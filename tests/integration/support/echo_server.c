/* An MCP server over stdio that answers as fast as read and write allow: one tool, echo {text}.
 *
 * It reads what there is, answers every complete line in it, and writes all answers at once. It
 * understands as much JSON as that takes: the members of one object, found without building
 * anything; their values are copied as they stand. For benchmarks: it trusts its client. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct span {
  const char* at;
  size_t size;
};

struct buffer {
  char* data;
  size_t size;
  size_t capacity;
};

static void reserve(struct buffer* to, size_t more) {
  if (to->size + more <= to->capacity)
    return;
  to->capacity = 2 * (to->size + more);
  to->data = realloc(to->data, to->capacity);
  if (!to->data)
    _exit(2);
}

static void add(struct buffer* to, const char* text, size_t size) {
  reserve(to, size);
  memcpy(to->data + to->size, text, size);
  to->size += size;
}

static void say(struct buffer* to, const char* text) {
  add(to, text, strlen(text));
}

/* Returns the end of the string that begins at `at`, behind its closing quote. */
static const char* end_of_string(const char* at, const char* end) {
  for (++at; at < end && *at != '"'; ++at)
    if (*at == '\\')
      ++at;
  return at < end ? at + 1 : end;
}

static const char* skip_space(const char* at, const char* end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
    ++at;
  return at;
}

/* Returns the end of the JSON value that begins at `at`. */
static const char* end_of_value(const char* at, const char* end) {
  int depth = 0;
  while (at < end) {
    if (*at == '"') {
      at = end_of_string(at, end);
      if (depth == 0)
        return at;
      continue;
    }
    if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
      return at;
    if (*at == '{' || *at == '[')
      ++depth;
    else if ((*at == '}' || *at == ']') && --depth == 0)
      return at + 1;
    ++at;
  }
  return end;
}

/* Returns the value of a member of the object `in`, as it stands; size 0 when there is none. */
static struct span member(struct span in, const char* name) {
  const struct span none = {NULL, 0};
  const size_t length = strlen(name);
  const char* end = in.at + in.size;
  const char* at = in.size ? skip_space(in.at, end) : in.at;
  if (at >= end || *at != '{')
    return none;
  for (++at; at < end && *at != '}'; ++at) {
    at = skip_space(at, end);
    const char* key = at + 1;
    at = end_of_string(at, end);
    const size_t key_length = (size_t)(at - key) - 1;
    at = skip_space(at, end);
    const char* value = skip_space(at + 1, end);
    at = skip_space(end_of_value(value, end), end);
    if (key_length == length && memcmp(key, name, length) == 0)
      return (struct span){value, (size_t)(at - value)};
    if (at >= end || *at == '}')
      break;
  }
  return none;
}

static int equals(struct span text, const char* json) {
  return text.size == strlen(json) && memcmp(text.at, json, text.size) == 0;
}

/* Appends the answer to one message; notifications and responses get none. */
static void answer(struct span message, struct buffer* out) {
  const struct span id = member(message, "id");
  const struct span method = member(message, "method");
  if (id.size == 0 || method.size == 0)
    return;
  const struct span params = member(message, "params");
  say(out, "{\"jsonrpc\":\"2.0\",\"id\":");
  add(out, id.at, id.size);
  if (equals(method, "\"tools/call\"")) {
    const struct span text = member(member(params, "arguments"), "text");
    say(out, ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
    if (text.size)
      add(out, text.at, text.size);
    else
      say(out, "\"\"");
    say(out, "}]}}\n");
  } else if (equals(method, "\"initialize\"")) {
    const struct span version = member(params, "protocolVersion");
    say(out, ",\"result\":{\"protocolVersion\":");
    add(out, version.at, version.size);
    say(out, ",\"capabilities\":{\"tools\":{}},"
             "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1.0.0\"}}}\n");
  } else if (equals(method, "\"tools/list\"")) {
    say(out, ",\"result\":{\"tools\":[{\"name\":\"echo\",\"description\":\"Returns the text\","
             "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},"
             "\"required\":[\"text\"]}}]}}\n");
  } else if (equals(method, "\"ping\"")) {
    say(out, ",\"result\":{}}\n");
  } else {
    say(out, ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n");
  }
}

/* Writes everything and empties the buffer; the client's end ends the program. */
static void flush(struct buffer* out) {
  size_t done = 0;
  while (done < out->size) {
    const ssize_t wrote = write(1, out->data + done, out->size - done);
    if (wrote < 0 && errno != EINTR)
      _exit(0);
    done += wrote > 0 ? (size_t)wrote : 0;
  }
  out->size = 0;
}

/* Answers the complete lines of `in` and keeps the rest. */
static void take_lines(struct buffer* in, struct buffer* out) {
  size_t begin = 0;
  const char* stop;
  while ((stop = memchr(in->data + begin, '\n', in->size - begin))) {
    const size_t size = (size_t)(stop - in->data) - begin;
    answer((struct span){in->data + begin, size}, out);
    begin += size + 1;
  }
  memmove(in->data, in->data + begin, in->size - begin);
  in->size -= begin;
}

int main(void) {
  struct buffer in = {NULL, 0, 0};
  struct buffer out = {NULL, 0, 0};
  for (;;) {
    reserve(&in, 65536);
    const ssize_t got = read(0, in.data + in.size, in.capacity - in.size);
    if (got == 0)
      return 0;
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return 1;
    in.size += (size_t)got;
    take_lines(&in, &out);
    flush(&out);
  }
}
