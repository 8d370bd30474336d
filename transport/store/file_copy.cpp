#include "transport/store/file_copy.hpp"

#include <string>
#include <vector>

namespace troupe {

namespace {

constexpr size_t bytes_at_once = size_t{1} << 20;

failure copy_bytes(file_shelf& from, const stored_file& file, file_writer& to) {
  for (uint64_t at = 0; at < file.bytes;) {
    std::string piece;
    if (auto bad = from.read(file.id, at, bytes_at_once, piece))
      return bad;
    if (piece.empty())
      return file_bytes_gone();
    if (auto bad = to.write(piece))
      return bad;
    at += piece.size();
  }
  return to.end();
}

/// @return file_unknown: its bytes are gone
failure copy_one(file_shelf& from, const stored_file& file, file_shelf& to) {
  failure bad;
  static_cast<void>(to.remove(file.id)); // a part, of a copy that was broken off
  auto writer = to.create(file.id, bad);
  if (!writer)
    return bad;
  bad = copy_bytes(from, file, *writer);
  writer.reset();
  if (!bad)
    bad = to.keep(file);
  if (bad)
    static_cast<void>(to.remove(file.id));
  return bad;
}

/// Calls `visit(file)` for all files of a shelf, until it fails.
template <class Visit>
failure for_each_file(file_shelf& in, Visit visit) {
  std::string after;
  for (;;) {
    std::vector<stored_file> files;
    if (auto bad = in.all(after, files))
      return bad;
    if (files.empty())
      return {};
    for (const auto& file : files)
      if (auto bad = visit(file))
        return bad;
    after = files.back().id;
  }
}

} // namespace

failure copy_files(file_shelf& from, file_shelf& to, uint64_t& count) {
  return for_each_file(from, [&](const stored_file& file) {
    stored_file there;
    auto bad = to.find(file.owner, file.id, there);
    if (!bad) // an earlier copy brought it, and other chats may use it by now
      for (const auto& chat : file.chats)
        to.use(file.id, chat);
    if (bad.code != errc::file_unknown)
      return bad;
    bad = copy_one(from, file, to);
    count += bad ? 0 : 1;
    return bad.code == errc::file_unknown ? failure{} : bad;
  });
}

failure remove_gone_files(file_shelf& from, file_shelf& to) {
  return for_each_file(to, [&](const stored_file& file) {
    stored_file here;
    auto bad = from.find(file.owner, file.id, here);
    return bad.code == errc::file_unknown ? to.remove(file.id) : bad;
  });
}

} // namespace troupe
